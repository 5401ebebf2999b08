import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import { isHttps, type GatewayConfig } from '../config';
import type { GatewayReply, GatewayRequest } from '../request';

const lifeSeconds = 24 * 60 * 60; // The emailed link works for the same time.

/**
 * Recognizes the browser that signed up, so that following the emailed link signs it in. The secret is in a cookie that no script and no
 * other site can read; identity stores its hash with the link. It is useless without the link, and works once.
 */
@Injectable()
export class SignUpBinding {
  readonly name: string;
  private readonly secure: boolean;

  constructor(@Inject('CONFIG') config: Pick<GatewayConfig, 'PUBLIC_URL'>) {
    this.secure = isHttps(config);
    this.name = this.secure ? '__Host-tandem_signup' : 'tandem_signup';
  }

  /** Creates a secret for this sign-up. Always replaces an existing one, which an attacker may have planted. */
  begin(request: GatewayRequest, reply: GatewayReply): void {
    const secret = randomBytes(32).toString('base64url');
    reply.header('set-cookie', stringifySetCookie({ ...this.attributes(), value: secret, maxAge: lifeSeconds }));
    request.browserHash = hashOf(secret);
  }

  /** Adds the hash of the browser's secret, if it has one, to the context of the call to identity. */
  attach(request: GatewayRequest): void {
    const { cookie } = request.headers;
    const secret = cookie === undefined ? undefined : parseCookie(cookie)[this.name];
    if (secret !== undefined && secret !== '') request.browserHash = hashOf(secret);
  }

  clear(reply: GatewayReply): void {
    reply.header('set-cookie', stringifySetCookie({ ...this.attributes(), value: '', expires: new Date(0), maxAge: 0 }));
  }

  private attributes() {
    // `__Host-` requires the path `/`; without it the secret is sent only to the routes that use it.
    const path = this.secure ? '/' : '/api/v1/auth';
    return { name: this.name, path, httpOnly: true, secure: this.secure, sameSite: 'lax' as const };
  }
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
