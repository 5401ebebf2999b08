import { AppError, readMailPage, readOriginalMail } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { fieldProblems } from '@tandem/platform';
import { Controller, Req, Res } from '@nestjs/common';
import { contextOfSession, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';

/**
 * The page cannot run scripts, submit forms or open windows without a click. `sandbox` also applies if the URL is opened outside the frame.
 * Remote pictures are blocked unless requested, because loading them reveals to the sender that the email was read.
 */
const policyOf = (withPictures: boolean): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    withPictures ? 'img-src data: https:' : 'img-src data:',
    "frame-ancestors 'self'",
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');

const style =
  'body{font:14px/1.5 system-ui,sans-serif;margin:12px;color:#1f2430;background:#fff;overflow-wrap:anywhere}img{max-width:100%;height:auto}';

/** `html` was sanitized when the email was received. */
const pageOf = (html: string, withPictures: boolean): string =>
  `<!doctype html><meta charset="utf-8"><base target="_blank"><style>${style}</style>${withPictures ? html.replace(/\sdata-src="/g, ' src="') : html}`;

/** Serves received emails in their original formatting. */
@Controller()
export class MailPageController {
  constructor(private readonly services: Services) {}

  @ForOperation(readMailPage)
  async read(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const params = readMailPage.input.params.safeParse(request.params);
    const query = readMailPage.input.query.safeParse(request.query);
    if (!params.success) throw new AppError('request.invalid', { fields: fieldProblems(params.error) });
    if (!query.success) throw new AppError('request.invalid', { fields: fieldProblems(query.error) });
    const { pictures, ...which } = query.data;
    const mail = await this.services.call(readOriginalMail, contextOfSession(request, request.user!), {
      params: params.data,
      query: which,
    });
    if (mail.html === null) throw new AppError('email.not_found');
    await reply
      .removeHeader('x-frame-options')
      .header('content-security-policy', policyOf(pictures !== undefined))
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('referrer-policy', 'no-referrer')
      .send(pageOf(mail.html, pictures !== undefined));
  }
}
