import type { IssuedSession } from '@tandem/contracts';
import { Injectable } from '@nestjs/common';
import type { GatewayReply, GatewayRequest } from '../request';
import { AccessTokens } from './access-token';
import { SessionCookies } from './cookies';
import { CsrfTokens } from './csrf';

/** Writes a session's tokens into cookies; they are never in a body, where a script could read them. */
@Injectable()
export class SessionWriter {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly cookies: SessionCookies,
    private readonly csrf: CsrfTokens,
  ) {}

  /** Replaces all session cookies, except for a refresh token that is still current (`refresh_token` is null). */
  write(reply: GatewayReply, issued: IssuedSession): void {
    const { session, refresh_token } = issued;
    const until = new Date(session.absolute_expires_at);
    this.cookies.write(reply, 'access', this.tokens.issue(issued), until);
    this.cookies.write(reply, 'csrf', this.csrf.for(session.session_id), until);
    if (refresh_token !== null) this.cookies.write(reply, 'refresh', refresh_token, until);
  }

  /** Sends data in the usual envelope, for operations whose response differs from what the service returned. */
  async sendData(request: GatewayRequest, reply: GatewayReply, data: unknown): Promise<void> {
    const body = JSON.stringify({ success: true, data, meta: { request_id: request.id } });
    await reply.status(200).headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).send(body);
  }
}
