import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import { isHttps, type GatewayConfig } from '../config';
import type { GatewayReply, GatewayRequest } from '../request';

const lifeSeconds = 600; // Identity stores an attempt for the same time.

/**
 * A secret that binds a sign-in to the browser that started it, in a cookie as strict as the session's. A callback without it comes from
 * another browser, or from a victim who was sent an attacker's callback URL. `Lax` lets the browser send it when the provider redirects
 * back.
 */
@Injectable()
export class OidcBinding {
  readonly name: string;
  private readonly secure: boolean;

  constructor(@Inject('CONFIG') config: Pick<GatewayConfig, 'PUBLIC_URL'>) {
    this.secure = isHttps(config);
    this.name = this.secure ? '__Host-tandem_oidc' : 'tandem_oidc';
  }

  read({ headers }: Pick<GatewayRequest, 'headers'>): string {
    return (headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[this.name]) ?? '';
  }

  write(reply: GatewayReply, secret: string): void {
    reply.header('set-cookie', stringifySetCookie({ ...this.attributes(), value: secret, maxAge: lifeSeconds }));
  }

  clear(reply: GatewayReply): void {
    reply.header('set-cookie', stringifySetCookie({ ...this.attributes(), value: '', expires: new Date(0), maxAge: 0 }));
  }

  private attributes() {
    const path = this.secure ? '/' : '/api/v1/auth/oidc';
    return { name: this.name, path, httpOnly: true, secure: this.secure, sameSite: 'lax' as const };
  }
}
