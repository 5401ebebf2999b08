import { Readable } from 'node:stream';
import { AnalyticsQuery, AppError, exportAnalytics, listExportedTickets, type Context, type OutputOf } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { fieldProblems } from '@tandem/platform';
import { Controller, Req, Res } from '@nestjs/common';
import { contextOfCaller, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { analyticsCsv } from './analytics-csv';

type ExportPage = OutputOf<typeof listExportedTickets>;

@Controller()
export class AnalyticsExportController {
  constructor(private readonly services: Services) {}

  @ForOperation(exportAnalytics)
  async download(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const query = AnalyticsQuery.safeParse(request.query);
    if (!query.success) throw new AppError('request.invalid', { fields: fieldProblems(query.error) });
    const ctx = contextOfCaller(request)!;
    // Load the first page before sending headers, so that a rejection is still an error response.
    const first = await this.page(ctx, query.data);
    await reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="tickets-${new Date().toISOString().slice(0, 10)}.csv"`)
      .header('cache-control', 'private, no-store')
      .send(Readable.from(this.lines(ctx, query.data, first), { objectMode: false, highWaterMark: 64 * 1024 }));
  }

  /**
   * Keeps one page in memory: loads the next page only when the client has read the previous one, and stops when it disconnects. If a page
   * fails, the connection is aborted, so that an incomplete file never looks complete.
   */
  private async *lines(ctx: Context, query: AnalyticsQuery, first: ExportPage): AsyncGenerator<string> {
    yield analyticsCsv.header;
    for (let page = first; ; page = await this.page(ctx, query, page.next_cursor)) {
      if (page.items.length > 0) yield page.items.map(analyticsCsv.line).join('');
      if (page.next_cursor === null) return;
    }
  }

  private page(ctx: Context, { range, ...query }: AnalyticsQuery, cursor?: string): Promise<ExportPage> {
    return this.services.call(listExportedTickets, ctx, { query: { ...query, range: `${range}` as '30', cursor } });
  }
}
