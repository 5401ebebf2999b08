import { Readable } from 'node:stream';
import {
  AppError,
  exportLimits,
  exportTicketsAsCsv,
  listCustomFields,
  listTickets,
  readTicketCsvColumns,
  type Context,
  type InputOf,
  type OutputOf,
} from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { fieldProblems } from '@tandem/platform';
import { Controller, Req, Res } from '@nestjs/common';
import { contextOfCaller, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { ticketsCsv } from './tickets-csv';

/** The maximum page size, for the fewest calls. */
const pageSize = 100;

type Filter = InputOf<typeof exportTicketsAsCsv>['query'];
type TicketPage = OutputOf<typeof listTickets>;

@Controller()
export class TicketsCsvController {
  constructor(private readonly services: Services) {}

  @ForOperation(exportTicketsAsCsv)
  async download(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const filter = exportTicketsAsCsv.input.query.safeParse(request.query);
    if (!filter.success) throw new AppError('request.invalid', { fields: fieldProblems(filter.error) });
    // Its parsed values are those of a filter again, but lists are written as text.
    const query = request.query as Filter;
    const ctx = contextOfCaller(request)!;
    // Load the first page before sending headers, so that a rejection is still an error response.
    const [csv, first] = await Promise.all([this.services.call(listCustomFields, ctx, {}).then(ticketsCsv), this.page(ctx, query)]);
    await reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="tickets-${new Date().toISOString().slice(0, 10)}.csv"`)
      .header('cache-control', 'private, no-store')
      .send(Readable.from(this.lines(ctx, query, csv, first), { objectMode: false, highWaterMark: 64 * 1024 }));
  }

  /**
   * Keeps one page in memory: loads the next page only when the client has read the previous one, and stops when it disconnects. If a page
   * fails, the connection is aborted, so that an incomplete file never looks complete.
   */
  private async *lines(ctx: Context, query: Filter, csv: ReturnType<typeof ticketsCsv>, first: TicketPage): AsyncGenerator<string> {
    yield csv.header;
    let rows = 0;
    for (let page = first; ; page = await this.page(ctx, query, page.pagination.next_cursor)) {
      const tickets = page.items.slice(0, exportLimits.csvRows - rows);
      rows += tickets.length;
      if (tickets.length > 0) yield await this.text(ctx, csv, tickets);
      if (page.pagination.next_cursor === null || rows >= exportLimits.csvRows) return;
    }
  }

  private async text(ctx: Context, csv: ReturnType<typeof ticketsCsv>, tickets: TicketPage['items']): Promise<string> {
    const more = await this.services.call(readTicketCsvColumns, ctx, { body: { ids: tickets.map(({ id }) => id) } });
    const byId = new Map(more.map((columns) => [columns.id, columns]));
    // A ticket that was deleted in the meantime is left out.
    return tickets.flatMap((ticket) => (byId.has(ticket.id) ? [csv.line({ ...ticket, ...byId.get(ticket.id)! })] : [])).join('');
  }

  private page(ctx: Context, query: Filter, cursor: string | null = null): Promise<TicketPage> {
    const position = cursor === null ? {} : { cursor };
    return this.services.call(listTickets, ctx, { query: { ...(query as object), ...position, limit: pageSize } });
  }
}
