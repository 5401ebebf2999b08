import { Controller } from '@nestjs/common';
import {
  AppError,
  listTickets,
  totalCap,
  type Context,
  type InputOf,
  type Page,
  type TicketFilter,
  type TicketSummary,
} from '@tandem/contracts';
import { Database, offsetCap } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { cut, placeOf } from '../keyset';
import type { TicketsSchema } from '../schema';
import { countTickets, findTickets, type TicketSelection } from './ticket-list.store';

const invalid = (path: string, message: string) => new AppError('request.invalid', { fields: [{ path, code: 'invalid', message }] });

/** Many tickets at once: the list. */
@Controller()
export class TicketListService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(listTickets)
  list(ctx: Context, { query }: InputOf<typeof listTickets>): Promise<Page<TicketSummary>> {
    const selection = selectionOf(ctx, query);
    const after = placeOf(query.cursor);
    const page = after ? null : (query.page ?? 1);
    const skip = page === null ? 0 : (page - 1) * query.limit;
    if (skip + query.limit > offsetCap) throw invalid('page', 'Too deep: continue with the cursor of the page before');
    return this.db.forTenant(ctx, async (tx) => {
      const rows = await findTickets(tx, selection, { after, skip, rows: query.limit + 1 });
      // A first page that is not full is all there is: nothing to count.
      const isAll = page === 1 && rows.length <= query.limit;
      const found = isAll ? rows.length : await countTickets(tx, selection);
      const { items, next_cursor } = cut(rows, query.limit);
      const capped = found > totalCap ? { total: totalCap, total_is_capped: true } : { total: found };
      return { items, pagination: { page, limit: query.limit, ...capped, next_cursor } };
    });
  }
}

function selectionOf(ctx: Context, query: TicketFilter): TicketSelection {
  const filled = <T>(list: T[] | undefined) => (list?.length ? list : undefined);
  return {
    search: query.search ? query.search : undefined,
    statuses: filled(query.status),
    priorities: filled(query.priority),
    assignee: assigneeOf(ctx, query.assignee),
  };
}

function assigneeOf(ctx: Context, assignee: TicketFilter['assignee']): string | null | undefined {
  if (assignee === 'unassigned') return null;
  if (assignee !== 'me') return assignee;
  if (ctx.actor.type === 'user') return ctx.actor.user_id;
  throw invalid('assignee', '`me` needs a signed-in person');
}
