import { Controller } from '@nestjs/common';
import {
  AppError,
  readTicketPrefix,
  saveTicketPrefix,
  ticketPrefixChanged,
  type Context,
  type InputOf,
  type TicketPrefix,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import { findCounter, findCounterForUpdate, savePrefix, type Counter } from './prefix.store';

/** The prefix of ticket numbers. Stored in the counter row, whose lock prevents a change while the first number is being assigned. */
@Controller()
export class PrefixService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(readTicketPrefix)
  async read(ctx: Context): Promise<TicketPrefix> {
    return prefixView(requireKnown(await this.db.forTenant(ctx, findCounter)));
  }

  @Handles(saveTicketPrefix)
  async save(ctx: Context, { body: { prefix } }: InputOf<typeof saveTicketPrefix>): Promise<TicketPrefix> {
    const organization_id = ctx.organization_id ?? '';
    return this.db.forTenant(ctx, async (tx) => {
      const counter = requireKnown(await findCounterForUpdate(tx));
      if (counter.prefix === prefix) return prefixView(counter);
      if (counter.last_number > 0) throw new AppError('ticket_prefix.in_use');
      await savePrefix(tx, organization_id, prefix);
      await emit(tx, ctx, ticketPrefixChanged, organization_id, { organization_id, prefix, previous: counter.prefix });
      return prefixView({ ...counter, prefix });
    });
  }
}

const prefixView = ({ prefix, last_number }: Counter): TicketPrefix => ({ prefix, editable: last_number === 0 });

/** Until identity's event arrives, a new organization is unknown here. */
function requireKnown(counter: Counter | undefined): Counter {
  if (!counter) throw new AppError('organization.not_found');
  return counter;
}
