import { buffer } from 'node:stream/consumers';
import { readArticlePicture } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { Controller, Req, Res } from '@nestjs/common';
import { contextOf, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { pathOf } from '../routes/operation-routes';
import { busy, headersOut, maxConcurrent, maxTransferMs, pass } from './files.controller';

/** Streams the pictures of public articles. A picture never changes, so its id is its entity tag. */
@Controller()
export class ArticlePictureController {
  #downloads = 0;

  constructor(private readonly services: Services) {}

  @ForOperation(readArticlePicture)
  async read(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    if (this.#downloads >= maxConcurrent) throw busy();
    this.#downloads += 1;
    reply.raw.once('close', () => (this.#downloads -= 1));
    const answer = await this.services.stream(readArticlePicture, contextOf(request, { type: 'customer' }, null), {
      path: pathOf(readArticlePicture, request),
      headers: {},
      signal: AbortSignal.timeout(maxTransferMs),
    });
    if (answer.status !== readArticlePicture.status) {
      const problem = pass(reply, answer, ['content-type', 'retry-after']).header('cache-control', 'private, no-cache');
      return void (await problem.send(await buffer(answer.body)));
    }
    const etag = `"${(request.params as { id: string }).id}"`;
    pass(reply, answer, headersOut).header('etag', etag);
    const isUnchanged = request.headers['if-none-match'] === etag;
    if (!isUnchanged && request.method !== 'HEAD') return void (await reply.send(answer.body));
    // The service was asked all the same: the article may have been unpublished in the meantime.
    answer.body.on('error', () => undefined).destroy();
    if (isUnchanged) return void (await reply.status(304).removeHeader('content-length').send());
    await reply.send();
  }
}
