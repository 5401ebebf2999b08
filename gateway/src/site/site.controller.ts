import { All, Controller, Inject, NotFoundException, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { GatewayConfig } from '../config';
import type { GatewayReply, GatewayRequest } from '../request';
import { firstCodeOf } from './first-code';

const immutable = 'public, max-age=31536000, immutable';
/** Vite puts a hash of the content into the names of these. */
const isHashed = (path: string) => path.startsWith('/assets/');
const isFile = (path: string) => /\.[a-z0-9]+$/i.test(path);

/** Whatever no other route took: the web app's files, its pages (one `index.html`), and honest answers for the rest. */
@Controller()
export class SiteController {
  private readonly firstCode: (path: string) => string | undefined;

  constructor(@Inject('CONFIG') private readonly config: GatewayConfig) {
    this.firstCode = config.WEB_ROOT === undefined ? () => undefined : firstCodeOf(config.WEB_ROOT);
  }

  @All('*')
  @RouteConfig({ compress: true })
  async serve(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const path = request.url.split('?', 1)[0]!;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    // The platform's filter makes a 405 of this where the address is known for another method.
    if (this.config.WEB_ROOT === undefined || !reads || /^\/(api|health)(\/|$)/.test(path)) throw new NotFoundException();
    if (isFile(path) && path !== '/index.html') {
      reply.header('cache-control', isHashed(path) ? immutable : 'public, max-age=3600');
      return void (await reply.sendFile(decodeURIComponent(path), this.config.WEB_ROOT));
    }
    // A page of the app is asked for by a person's navigation; a script that misses a file must not get a page instead.
    if (isHashed(path) || !(request.headers.accept ?? '').includes('text/html')) throw new NotFoundException();
    reply.header('cache-control', 'no-cache');
    const link = this.firstCode(path);
    if (link) reply.header('link', link);
    await reply.sendFile('index.html', this.config.WEB_ROOT);
  }
}
