import { buffer } from 'node:stream/consumers';
import { importLimits, uploadImportFile } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { discardBody, exemptFromTimeout } from '@tandem/platform';
import { Controller, Req, Res } from '@nestjs/common';
import { contextOf, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { pathOf } from '../routes/operation-routes';
import { busy, pass } from './files.controller';

/** Maximum concurrent uploads per process; an organization has fewer (the tickets service). */
const maxConcurrent = 16;
/** 2 GB need 600 KB/s. The tickets service ends an upload earlier if no data arrives for a minute. */
const maxUploadMs = 3_600_000;
/** What is read of a refused upload, so that the client reads the response. A longer one is cut off. */
const maxDiscardedBytes = 20 * 1024 * 1024;

/** Streams files of imports to the tickets service. As with files of tickets, the signed URL is the permission, and cookies are ignored. */
@Controller()
export class ImportFilesController {
  #uploads = 0;

  constructor(private readonly services: Services) {}

  @ForOperation(uploadImportFile, { raw: true, stream: true, bodyLimitBytes: importLimits.fileBytes })
  async upload(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    if (this.#uploads >= maxConcurrent) throw busy();
    const length = request.headers['content-length'] ?? '0';
    const endExemption = exemptFromTimeout(request.raw);
    this.#uploads += 1;
    try {
      const answer = await this.services.stream(uploadImportFile, contextOf(request, { type: 'customer' }, null), {
        path: pathOf(uploadImportFile, request),
        headers: { 'content-type': 'application/octet-stream', 'content-length': length },
        signal: AbortSignal.timeout(maxUploadMs),
        body: request.raw,
      });
      await pass(reply, answer, ['content-type', 'retry-after']).send(await buffer(answer.body));
    } finally {
      this.#uploads -= 1;
      endExemption();
      if (Number(length) <= maxDiscardedBytes) discardBody(request.raw);
      else if (!request.raw.readableEnded) reply.raw.once('finish', () => request.raw.destroy());
    }
  }
}
