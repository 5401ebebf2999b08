import { buffer } from 'node:stream/consumers';
import { downloadExport } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { Controller, Req, Res } from '@nestjs/common';
import { contextOf, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { pathOf } from '../routes/operation-routes';
import { busy, headersOut, pass } from './files.controller';

/** Concurrent downloads of archives per process: they take long. */
const maxDownloads = 40;
/** 50 GB at 20 Mbit/s. */
const maxDownloadMs = 6 * 3_600_000;

/** Streams archives of exports. As for files, the signed URL is the permission, and the service verifies it. */
@Controller()
export class ExportFilesController {
  #downloads = 0;

  constructor(private readonly services: Services) {}

  @ForOperation(downloadExport)
  async download(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    if (this.#downloads >= maxDownloads) throw busy();
    this.#downloads += 1;
    reply.raw.once('close', () => (this.#downloads -= 1));
    const answer = await this.services.stream(downloadExport, contextOf(request, { type: 'customer' }, null), {
      path: pathOf(downloadExport, request),
      headers: {},
      signal: AbortSignal.timeout(maxDownloadMs),
    });
    if (answer.status !== downloadExport.status)
      return void (await pass(reply, answer, ['content-type', 'retry-after']).send(await buffer(answer.body)));
    await pass(reply, answer, headersOut).send(answer.body);
  }
}
