import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import { isHttps, type GatewayConfig } from '../config';
import type { GatewayReply, GatewayRequest } from '../request';

type CookieName = 'access' | 'refresh' | 'csrf';

/**
 * The three cookies of a session. Over HTTPS their names begin with `__Host-`: the browser binds them to this host, the path `/` and TLS,
 * so that no subdomain can plant one. Plain names over HTTP are for local development, where browsers reject the prefix.
 */
@Injectable()
export class SessionCookies {
  readonly names: Record<CookieName, string>;
  private readonly secure: boolean;

  constructor(@Inject('CONFIG') config: Pick<GatewayConfig, 'PUBLIC_URL'>) {
    this.secure = isHttps(config);
    const prefix = this.secure ? '__Host-tandem_' : 'tandem_';
    this.names = { access: `${prefix}session`, refresh: `${prefix}refresh`, csrf: `${prefix}csrf` };
  }

  read({ headers }: Pick<GatewayRequest, 'headers'>, name: CookieName): string | undefined {
    return headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[this.names[name]] || undefined;
  }

  /** The cookie outlives the access token in it, so that an old token is recognized as expired and not as missing. */
  write(reply: GatewayReply, name: CookieName, value: string, expires: Date): void {
    reply.header('set-cookie', stringifySetCookie({ ...this.attributes(name), value, expires }));
  }

  clear(reply: GatewayReply): void {
    for (const name of ['access', 'refresh', 'csrf'] as const) {
      reply.header('set-cookie', stringifySetCookie({ ...this.attributes(name), value: '', expires: new Date(0), maxAge: 0 }));
    }
  }

  private attributes(name: CookieName) {
    // `__Host-` requires the path `/`; without it the refresh token is sent only to the routes that use it.
    const path = name === 'refresh' && !this.secure ? '/api/v1/auth' : '/';
    return { name: this.names[name], path, httpOnly: name !== 'csrf', secure: this.secure, sameSite: 'lax' as const };
  }
}
