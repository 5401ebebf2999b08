import { Readable } from 'node:stream';
import { AppError, AuditFilter, downloadAuditLog, listAuditLog, type Context } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { fieldProblems } from '@tandem/platform';
import { Controller, Req, Res } from '@nestjs/common';
import { contextOfSession, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { csvHeader, csvLine } from './audit-csv';

/** The maximum page size, for the fewest calls. */
const pageSize = 100;

@Controller()
export class AuditController {
  constructor(private readonly services: Services) {}

  @ForOperation(downloadAuditLog)
  async download(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const filter = AuditFilter.safeParse(request.query);
    if (!filter.success) throw new AppError('request.invalid', { fields: fieldProblems(filter.error) });
    const ctx = contextOfSession(request, request.user!);
    // Load the first page before sending headers, so that a rejection is still an error response.
    const first = await this.page(ctx, filter.data);
    await reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="audit-log-${new Date().toISOString().slice(0, 10)}.csv"`)
      .header('cache-control', 'private, no-store')
      .send(Readable.from(this.lines(ctx, filter.data, first), { objectMode: false, highWaterMark: 64 * 1024 }));
  }

  /**
   * Keeps one page in memory: loads the next page only when the client has read the previous one, and stops when it disconnects. If a page
   * fails, the connection is aborted, so that an incomplete file never looks complete.
   */
  private async *lines(ctx: Context, filter: AuditFilter, first: Awaited<ReturnType<AuditController['page']>>): AsyncGenerator<string> {
    yield csvHeader;
    for (let page = first; ; page = await this.page(ctx, filter, page.pagination.next_cursor)) {
      if (page.items.length > 0) yield page.items.map(csvLine).join('');
      if (page.pagination.next_cursor === null) return;
    }
  }

  private page(ctx: Context, filter: AuditFilter, cursor?: string) {
    return this.services.call(listAuditLog, ctx, { query: { ...filter, cursor, limit: pageSize } });
  }
}
