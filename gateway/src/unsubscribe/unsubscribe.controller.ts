import { AppError, leaveReport, problems, unsubscribe } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { CountedBy } from '../limits/limit.guard';
import { contextOf, type GatewayReply, type GatewayRequest } from '../request';
import { apiBase, ForOperation } from '../routes/for-operation';
import { askPage, donePage, failedPage } from './unsubscribe-page';

/**
 * Stops a report for the recipient of its email, without a session: the token in the URL is the permission. Mail programs send the POST with
 * a form as its body (RFC 8058) and expect a success without a redirect.
 */
@Controller()
export class UnsubscribeController {
  constructor(private readonly services: Services) {}

  /** Changes nothing, because mail scanners follow links. */
  @Get(`${apiBase}${unsubscribe.path}`)
  @CountedBy('api')
  async ask(@Res() reply: GatewayReply): Promise<void> {
    await send(reply, 200, askPage);
  }

  @ForOperation(unsubscribe, { raw: true, bodyLimitBytes: 4 * 1024 })
  async unsubscribe(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    try {
      const query = unsubscribe.input.query.safeParse(request.query);
      if (!query.success) throw new AppError('unsubscribe.invalid');
      await this.services.call(leaveReport, contextOf(request, { type: 'system' }, null), { body: query.data });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return send(reply, error.status, failedPage(problems[error.code].title));
    }
    await send(reply, 200, donePage);
  }
}

/** The URL contains the token, so it is not cached and not sent to other sites. */
const send = async (reply: GatewayReply, status: number, page: string): Promise<void> =>
  void (await reply
    .status(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send(page));
