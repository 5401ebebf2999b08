import { totalCap, type TicketPriority, type TicketStatus, type TicketSummary } from '@tandem/contracts';
import { sql } from 'kysely';
import type { Place } from '../keyset';
import type { TicketsTx } from '../schema';
import { containsPattern } from './ticket';
import { assignee, of, summaryFields, withAssignee } from './ticket.store';

/** Which tickets a list shows; what is left out does not narrow it. `assignee: null` means unassigned. */
export interface TicketSelection {
  search?: string;
  statuses?: TicketStatus[];
  priorities?: TicketPriority[];
  assignee?: string | null;
}
/** Which part of it: rows older than `after`, or beyond `skip`. */
export interface Slice {
  after: Place | undefined;
  skip: number;
  rows: number;
}

/** The tickets found by text, through the function of migration 0002, which explains why it exists. */
function foundByText(selection: TicketSelection & { search: string }, slice: Slice, order: 'newest first' | 'any') {
  const { statuses, priorities, assignee: who } = selection;
  return sql<{ id: string }>`find_tickets_by_text(
    ${containsPattern(selection.search)}, ${statuses ?? null}::text[], ${priorities ?? null}::text[], ${who ?? null}::uuid, ${who === null},
    ${slice.after?.created_at ?? null}::timestamptz, ${slice.after?.id ?? null}::uuid, ${slice.rows}, ${slice.skip}, ${order === 'newest first'})`;
}

const isByText = (selection: TicketSelection): selection is TicketSelection & { search: string } => selection.search !== undefined;

/** Newest first. The order is total, so a cursor neither repeats nor misses a ticket that was there when the walk began. */
export async function findTickets(tx: TicketsTx, selection: TicketSelection, slice: Slice): Promise<TicketSummary[]> {
  const { statuses, priorities, assignee: who } = selection;
  const rows = withAssignee(tx)
    .select(of(summaryFields))
    .select(['t.description_preview', assignee])
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id', 'desc');
  if (isByText(selection)) {
    return rows.innerJoin(foundByText(selection, slice, 'newest first').as<'found'>(sql`found(id)`), 'found.id', 't.id').execute();
  }
  return rows
    .$if(statuses !== undefined, (qb) => qb.where('t.status', 'in', statuses!))
    .$if(priorities !== undefined, (qb) => qb.where('t.priority', 'in', priorities!))
    .$if(who === null, (qb) => qb.where('t.assigned_to', 'is', null))
    .$if(typeof who === 'string', (qb) => qb.where('t.assigned_to', '=', who!))
    .$if(slice.after !== undefined, (qb) =>
      qb.where(sql<boolean>`(t.created_at, t.id) < (${slice.after!.created_at}::timestamptz, ${slice.after!.id}::uuid)`),
    )
    .limit(slice.rows)
    .offset(slice.skip)
    .execute();
}

/** How many there are, counted no further than one beyond the cap. */
export async function countTickets(tx: TicketsTx, selection: TicketSelection): Promise<number> {
  const { statuses, priorities, assignee: who } = selection;
  const rows = totalCap + 1;
  if (isByText(selection)) {
    const counted = await sql<{
      total: number;
    }>`select count(*) as total from ${foundByText(selection, { after: undefined, skip: 0, rows }, 'any')} as found`.execute(tx);
    return counted.rows[0]?.total ?? 0;
  }
  if (statuses === undefined && priorities === undefined && who === undefined) {
    // All of them: numbers have no gaps and tickets are never deleted, so the counter knows without counting.
    const counter = await tx.selectFrom('ticket_counters').select('last_number').executeTakeFirst();
    return counter?.last_number ?? 0;
  }
  const { total } = await tx
    .selectFrom((qb) =>
      qb
        .selectFrom('tickets')
        .select('id')
        .$if(statuses !== undefined, (q) => q.where('status', 'in', statuses!))
        .$if(priorities !== undefined, (q) => q.where('priority', 'in', priorities!))
        .$if(who === null, (q) => q.where('assigned_to', 'is', null))
        .$if(typeof who === 'string', (q) => q.where('assigned_to', '=', who!))
        .limit(rows)
        .as('counted'),
    )
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
