import { Controller } from '@nestjs/common';
import {
  AppError,
  isCustomFieldName,
  keyOfName,
  changeTickets,
  listTickets,
  readTicketCsvColumns,
  ticketLimits,
  totalCap,
  type BulkChange,
  type BulkResult,
  type Context,
  type CustomField,
  type InputOf,
  type OutputOf,
  type Page,
  type Ticket,
  type TicketSummary,
  type UpdateTicket,
} from '@tandem/contracts';
import { Database, offsetCap } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { sql } from 'kysely';
import { userIdOf } from '../caller';
import { findCustomFields } from '../custom-field/custom-field.store';
import type { TicketsSchema, TicketsTx } from '../schema';
import { toSelection } from './ticket-filters';
import { countTickets, findFirstPage, findTickets, hasFixedFirstPage, hasFixedSearch, isFromFuture, narrowed } from './ticket-list.store';
import { sliceListPage, decodeListCursor } from './ticket-order';
import { searchCap } from './ticket-search.store';
import { changeTicket, checkAssignee, getTicketForUpdate } from './ticket.service';
import { summaryFields } from './ticket-fields';

const invalid = (path: string, message: string) => new AppError('request.invalid', { fields: [{ path, code: 'invalid', message }] });

/** Concurrent changes per bulk request: one uses the CPU while others wait for the disk, and enough database connections stay free. */
const bulkConcurrency = 4;

/** The ticket list with filters, search, sorting and pagination. */
@Controller()
export class TicketListService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(listTickets)
  list(ctx: Context, { query }: InputOf<typeof listTickets>): Promise<Page<TicketSummary>> {
    const { sort, limit } = query;
    const wanted = toSelection(ctx, query);
    // A search sorts only its newest matches, so a poller would miss others.
    if (sort === 'updated_oldest' && wanted.search) throw invalid('search', 'Cannot be combined with sort=updated_oldest');
    const after = decodeListCursor(sort, query.cursor);
    const page = after ? null : (query.page ?? 1);
    const skip = page === null ? 0 : (page - 1) * limit;
    if (skip + limit > offsetCap) throw invalid('page', 'Page too deep. Continue with the cursor of the previous page.');
    const reader = userIdOf(ctx);
    const isFixed = sort === 'newest' && page === 1 && hasFixedFirstPage(wanted);
    const read = async (tx: TicketsTx): Promise<Page<TicketSummary>> => {
      const selection = isFixed ? wanted : await narrowed(tx, wanted, sort);
      const byNumber = isCustomFieldName(sort) && (await isNumberField(tx, keyOfName(sort)));
      const { rows, total } = isFixed
        ? await findFirstPage(tx, selection, { rows: limit + 1, reader })
        : { rows: await findTickets(tx, selection, { sort, byNumber, after, skip, rows: limit + 1, reader }), total: undefined };
      if (sort === 'updated_oldest' && after && rows.length === 0 && (await isFromFuture(tx, after)))
        throw invalid('cursor', 'This cursor is no longer valid. Start again without it.');
      // A first page that is not full contains all matches, so there is nothing to count.
      const isAll = page === 1 && rows.length <= limit;
      const cap = selection.search ? searchCap : totalCap;
      const found = isAll ? rows.length : (total ?? (await countTickets(tx, selection, cap + 1)));
      const { items, ...cursors } = sliceListPage(query, rows);
      const capped = found > cap ? { total: cap, total_is_capped: true } : { total: found };
      return { items, pagination: { page, limit, ...capped, ...cursors } };
    };
    // The plan for other filters depends on the organization: few of its tickets may match, or most.
    return this.db.readTenant(ctx, read, { isPrepared: isFixed || hasFixedSearch(wanted, sort) });
  }

  @Handles(readTicketCsvColumns)
  readCsvColumns(ctx: Context, { body }: InputOf<typeof readTicketCsvColumns>): Promise<OutputOf<typeof readTicketCsvColumns>> {
    return this.db.readTenant(ctx, (tx) =>
      tx
        .selectFrom('tickets')
        .select(['id', 'channel', 'custom_fields'])
        .where('id', '=', sql<string>`any(${body.ids}::uuid[])`)
        .execute(),
    );
  }

  /**
   * Changes each ticket in its own transaction: a failure does not undo the others, no lock outlasts a single change, and two bulk requests
   * cannot deadlock on each other's tickets or on the load counters of assignees.
   */
  @Handles(changeTickets)
  async bulk(ctx: Context, { body }: InputOf<typeof changeTickets>): Promise<BulkResult[]> {
    const { changes } = body;
    await this.db.forTenant(ctx, (tx) => checkAssignee(tx, { assigned_to: changes.assigned_to }, 'changes.assigned_to'));
    const results: BulkResult[] = [];
    const ids = [...new Set(body.ids)].sort();
    for (let i = 0; i < ids.length; i += bulkConcurrency) {
      results.push(...(await Promise.all(ids.slice(i, i + bulkConcurrency).map((id) => this.changeOne(ctx, id, changes)))));
    }
    return results;
  }

  private async changeOne(ctx: Context, id: string, changes: BulkChange['changes']): Promise<BulkResult> {
    try {
      const ticket = await this.db.forTenant(ctx, async (tx) => changeTicket(tx, ctx, id, await patchOf(tx, id, changes)));
      return { id, ticket: summaryOf(ticket), code: null };
    } catch (error) {
      // A client error concerns only this ticket; a server error, such as an unavailable database, fails the whole request.
      if (error instanceof AppError && error.status < 500) return { id, ticket: null, code: error.code };
      throw error;
    }
  }
}

/** Refuses to sort by a field whose values have no order. A saved view may name a field that no longer exists: then no ticket has a value. */
async function isNumberField(tx: TicketsTx, key: string): Promise<boolean> {
  const field = (await findCustomFields(tx)).find((each) => each.key === key);
  if (field && !sortable.includes(field.type)) throw invalid('sort', `Tickets can be sorted by fields of the types ${sortable.join(', ')}`);
  return field?.type === 'number';
}
const sortable: readonly CustomField['type'][] = ['text', 'number', 'date'];

/** Adds and removes tags relative to the current ones, under the ticket's lock. */
async function patchOf(tx: TicketsTx, id: string, { add_tags, remove_tags, ...patch }: BulkChange['changes']): Promise<UpdateTicket> {
  if (!add_tags && !remove_tags) return patch;
  const before = await getTicketForUpdate(tx, id);
  const tags = [...new Set([...before.tags.filter((tag) => !remove_tags?.includes(tag)), ...(add_tags ?? [])])];
  if (tags.length > ticketLimits.tags) throw new AppError('ticket.too_many_tags');
  return { ...patch, tags };
}

function summaryOf({ assignee, ...ticket }: Ticket): NonNullable<BulkResult['ticket']> {
  // Copied by name, so that new ticket fields are not returned until the list has them.
  const fields = Object.fromEntries(summaryFields.map((field) => [field, ticket[field]])) as Pick<Ticket, (typeof summaryFields)[number]>;
  return { ...fields, assignee };
}
