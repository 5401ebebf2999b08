import { readBrandingAsset } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { Controller, Req, Res } from '@nestjs/common';
import { contextOf, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { pathOf } from '../routes/operation-routes';

/**
 * Headers for uploaded pictures: they may be embedded anywhere (emails, sites with the widget), but cannot run scripts when opened
 * directly. A changed picture gets a new URL, so browsers may cache each one forever.
 */
const headers = {
  'content-disposition': 'inline',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=31536000, immutable',
};

/** Serves logos and icons exactly as identity stores them. */
@Controller()
export class AssetsController {
  constructor(private readonly services: Services) {}

  @ForOperation(readBrandingAsset)
  async read(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const ctx = contextOf(request, { type: 'customer' }, null);
    const answer = await this.services.forward(readBrandingAsset, ctx, { path: pathOf(readBrandingAsset, request), headers: {} });
    void reply.status(answer.status).header('content-type', answer.headers['content-type'] ?? 'application/octet-stream');
    if (answer.status === readBrandingAsset.status) void reply.headers(headers);
    else void reply.header('cache-control', 'private, no-cache');
    await reply.send(answer.body);
  }
}
