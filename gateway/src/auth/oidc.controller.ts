import { createHash, randomBytes } from 'node:crypto';
import { AppError, beginOidc, clientSchemas, finishOidc, finishSso, type ProblemCode } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import { contextOf, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { bodyOf } from './body';
import { OidcBinding } from './oidc-binding';
import { SessionWriter } from './session-writer';

const json = 'application/json; charset=utf-8';
/** The codes that the sign-in page has a message for (web/src/lib/sso-error.ts). */
const reportedCodes: readonly ProblemCode[] = ['oidc.not_a_member', 'account.inactive', 'service.unavailable'];

/** Redirects a browser to the OpenID provider and accepts its callback from the same browser only. */
@Controller()
export class OidcController {
  constructor(
    private readonly services: Services,
    private readonly binding: OidcBinding,
    private readonly writer: SessionWriter,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  @ForOperation(beginOidc)
  async begin(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    // Without `binding`: a client that could choose it could finish a sign-in that another browser started.
    const body = bodyOf(request, clientSchemas['identity.beginOidc'].body);
    const secret = randomBytes(32).toString('base64url');
    const binding = createHash('sha256').update(secret).digest('hex');
    const data = await this.services.call(beginOidc, contextOf(request, { type: 'customer' }, null), { body: { ...body, binding } });
    this.binding.write(reply, secret);
    const answer = JSON.stringify({ success: true, data, meta: { request_id: request.id } });
    await reply.status(200).headers({ 'content-type': json, 'cache-control': 'no-store' }).send(answer);
  }

  /** A page, not an API: always redirects. The URL contains the authorization code, so it is sent to identity only and never logged. */
  @ForOperation(finishSso)
  async finish(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    // A HEAD request (a link preview) must not use up the code.
    if (request.method === 'HEAD') throw new AppError('method.not_allowed');
    reply.header('cache-control', 'no-store');
    this.binding.clear(reply);
    await reply.redirect(await this.destination(request, reply), 302);
  }

  private async destination(request: GatewayRequest, reply: GatewayReply): Promise<string> {
    const { organization_id } = request.params as { organization_id: string };
    const query = (request.raw.url ?? '').replace(/^[^?]*\??/, '');
    const body = { organization_id, query, binding: this.binding.read(request) };
    try {
      const { issued, redirect } = await this.services.call(finishOidc, contextOf(request, { type: 'system' }, null), { body });
      this.writer.write(reply, issued);
      return redirect;
    } catch (error) {
      if (!(error instanceof AppError)) this.log.error({ err: error, request_id: request.id }, 'Completing an OpenID sign-in failed');
      const code = error instanceof AppError && reportedCodes.includes(error.code) ? error.code : 'oidc.failed';
      return `/auth?sso_error=${code}`;
    }
  }
}
