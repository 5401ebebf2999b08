import { Controller } from '@nestjs/common';
import { addWatcher, AppError, removeWatcher, type Context, type InputOf, type Ticket } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import type { TicketsSchema, TicketsTx } from '../schema';
import { maxWatchers, monotonicNow, mergeWatchers } from './ticket';
import { emitChange } from './ticket-events';
import { getTicket, getTicketForUpdate, notAMember } from './ticket.service';
import { isActiveMember, saveTicket } from './ticket.store';

/** Watchers are notified about a ticket in addition to its assignee. Mentions also add watchers (`writeComment`). */
@Controller()
export class WatcherService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(addWatcher)
  add(ctx: Context, { params }: InputOf<typeof addWatcher>): Promise<Ticket> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getTicketForUpdate(tx, params.id);
      if (!before.watchers.includes(params.userId)) await checkNewWatcher(tx, before, params.userId);
      return saveWatchers(tx, ctx, before, mergeWatchers(before.watchers, [params.userId]));
    });
  }

  /** Also removes users who are no longer members. */
  @Handles(removeWatcher)
  remove(ctx: Context, { params }: InputOf<typeof removeWatcher>): Promise<Ticket> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getTicketForUpdate(tx, params.id);
      return saveWatchers(tx, ctx, before, before.watchers.filter((id) => id !== params.userId)); // prettier-ignore
    });
  }
}

async function checkNewWatcher(tx: TicketsTx, { watchers }: Pick<Ticket, 'watchers'>, user_id: string): Promise<void> {
  if (!(await isActiveMember(tx, user_id))) throw notAMember('userId');
  if (watchers.length < maxWatchers) return;
  const message = `A ticket can have at most ${maxWatchers} watchers`;
  throw new AppError('request.invalid', { fields: [{ path: 'userId', code: 'too_many', message }] });
}

async function saveWatchers(tx: TicketsTx, ctx: Context, before: Omit<Ticket, 'assignee'>, watchers: string[]): Promise<Ticket> {
  if (watchers.length === before.watchers.length) return getTicket(tx, before.id);
  const ticket = await saveTicket(tx, before, { watchers }, monotonicNow(before.updated_at));
  await emitChange(tx, ctx, before, ticket);
  return ticket;
}
