import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AppError, attachmentRules, downloadFile, uploadFile, type Operation } from '@tandem/contracts';
import { Services, type StreamResponse } from '@tandem/messaging';
import { discardBody, exemptFromTimeout } from '@tandem/platform';
import { Controller, Req, Res } from '@nestjs/common';
import { contextOf, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { pathOf } from '../routes/operation-routes';

/** Maximum concurrent transfers per process and direction; further requests get 503 with Retry-After. */
export const maxConcurrent = 100;
/** A transfer's time limit: 20 MB need at least 70 KB/s. */
export const maxTransferMs = 300_000;

/** Response headers that are passed on, including those that isolate a file that a browser opens under our host. */
export const headersOut = [
  'content-type',
  'content-disposition',
  'content-length',
  'content-security-policy',
  'cross-origin-resource-policy',
  'x-content-type-options',
  'cache-control',
] as const;

/**
 * Streams files to and from the tickets service without holding them in memory. The signed URL is the permission, and the service
 * verifies it. Cookies are ignored here, so CSRF is not possible.
 */
@Controller()
export class FilesController {
  #uploads = 0;
  #downloads = 0;

  constructor(private readonly services: Services) {}

  @ForOperation(uploadFile, { raw: true, stream: true, bodyLimitBytes: attachmentRules.maxBytes })
  async upload(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const length = lengthOf(request);
    if (this.#uploads >= maxConcurrent) throw busy();
    const endExemption = exemptFromTimeout(request.raw);
    this.#uploads += 1;
    try {
      const headers = { 'content-type': 'application/octet-stream', 'content-length': String(length) };
      const answer = await this.#ask(uploadFile, request, { headers, body: request.raw });
      await pass(reply, answer, ['content-type', 'retry-after']).send(await buffer(answer.body));
    } finally {
      this.#uploads -= 1;
      endExemption();
      // Read the rest of the upload: browsers read an error response only after they have sent the whole body.
      discardBody(request.raw);
    }
  }

  @ForOperation(downloadFile)
  async download(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    if (this.#downloads >= maxConcurrent) throw busy();
    this.#downloads += 1;
    reply.raw.once('close', () => (this.#downloads -= 1));
    const answer = await this.#ask(downloadFile, request, { headers: {} });
    if (answer.status !== downloadFile.status) {
      await pass(reply, answer, ['content-type', 'retry-after']).send(await buffer(answer.body));
      return;
    }
    await pass(reply, answer, headersOut).send(answer.body);
  }

  #ask(op: Operation, request: GatewayRequest, { headers, body }: { headers: Record<string, string>; body?: Readable }) {
    const signal = AbortSignal.timeout(maxTransferMs);
    const path = pathOf(op, request);
    return this.services.stream(op, contextOf(request, { type: 'customer' }, null), { path, headers, signal, ...(body ? { body } : {}) });
  }
}

export const busy = () => new AppError('service.unavailable', { retryAfterSeconds: 5 });

/** The route guarantees that the header exists and is within the limit; the service compares it with the announced size. */
const lengthOf = (request: GatewayRequest): number => Number(request.headers['content-length']);

export function pass(reply: GatewayReply, { status, headers }: StreamResponse, names: readonly string[]): GatewayReply {
  void reply.status(status);
  for (const name of names) if (headers[name] !== undefined) void reply.header(name, headers[name]);
  return reply;
}
