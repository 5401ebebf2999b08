import { Controller, Get, Header, Inject, NotFoundException, Query, Req, Res } from '@nestjs/common';
import type { GatewayConfig } from '../config';
import { WidgetOfKey } from '../host/widget-of-key';
import { CountedBy } from '../limits/limit.guard';
import type { GatewayReply, GatewayRequest } from '../request';

/** The widget in another site's page must never use these features, even if that site does. */
const permissions = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()';
/** The format of `widget.ts` in the contracts, checked again so that no other stored value gets into a header. */
const isSite = (site: string) => /^https?:\/\/[a-z0-9.*-]+(:\d{1,5})?$/.test(site);

const notSetUp = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Support</title><p>This widget is not set up.</p></html>';

/**
 * The only page that other sites may embed, and the script that opens it there. It uses no session, so an embedding site can reach only the
 * form.
 */
@Controller('widget')
export class WidgetController {
  constructor(
    @Inject('CONFIG') private readonly config: Pick<GatewayConfig, 'WEB_ROOT'>,
    private readonly widgets: WidgetOfKey,
  ) {}

  @Get('frame')
  @CountedBy('api')
  async frame(@Query('organization') key: unknown, @Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    if (this.config.WEB_ROOT === undefined) throw new NotFoundException();
    const widget = typeof key === 'string' ? await this.widgets.find(key, request.id) : null;
    allowFraming(reply, widget?.allowed_sites ?? []);
    // The allowed sites change with the settings: always revalidate.
    reply.header('cache-control', 'no-cache').header('permissions-policy', permissions);
    if (widget === null) return void (await reply.status(404).type('text/html; charset=utf-8').send(notSetUp));
    await reply.sendFile('widget-frame.html', this.config.WEB_ROOT);
  }

  @Get('v1/widget.js')
  @Header('cache-control', 'public, max-age=3600')
  @Header('cross-origin-resource-policy', 'cross-origin')
  async loader(@Res() reply: GatewayReply): Promise<void> {
    if (this.config.WEB_ROOT === undefined) throw new NotFoundException();
    await reply.sendFile('widget/v1/widget.js', this.config.WEB_ROOT);
  }
}

/**
 * The product's policy except for `frame-ancestors`. Our own pages may always embed the widget, because the settings show a preview. If no
 * site is configured, any site may; otherwise only the configured ones. If all configured values are invalid, no other site may.
 */
function allowFraming(reply: GatewayReply, sites: readonly string[]): void {
  const { raw } = reply;
  const policy = String(raw.getHeader('content-security-policy'));
  const ancestors = sites.length === 0 ? '*' : ["'self'", ...sites.filter(isSite)].join(' ');
  raw.setHeader('content-security-policy', policy.replace("frame-ancestors 'none'", `frame-ancestors ${ancestors}`));
  raw.setHeader('cross-origin-resource-policy', 'cross-origin');
  for (const name of ['x-frame-options', 'cross-origin-opener-policy', 'origin-agent-cluster']) raw.removeHeader(name);
}
