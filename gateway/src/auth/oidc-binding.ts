import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import { isHttps, type GatewayConfig } from '../config';
import type { GatewayReply, GatewayRequest } from '../request';

const lifeSeconds = 600; // As long as identity keeps an attempt.

/**
 * The secret of the browser that went to an OpenID provider, in a cookie as strict as those of a session: whoever comes back without it
 * is somebody else, or was sent with somebody else's answer. `Lax` lets it come along when the provider leads the browser back.
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
