import { Injectable, type Type } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import type { GatewayRequest } from '../request';
import { AccessTokens, verification, type SessionClaims } from './access-token';
import { SessionCookies } from './cookies';

/**
 * Reads the access token from its cookie only, never from a query or a header. Passport registers strategies by `name` for the whole
 * process: two gateways in one process (tests) need different names, or one would read the other's cookies.
 */
export function jwtStrategy(name: string): Type<unknown> {
  @Injectable()
  class JwtStrategy extends PassportStrategy(Strategy, name) {
    constructor(tokens: AccessTokens, cookies: SessionCookies) {
      super({
        jwtFromRequest: (request: unknown) => cookies.read(request as GatewayRequest, 'access') ?? null,
        // passport-jwt passes the key to jsonwebtoken unchanged; its types allow only strings and buffers.
        secretOrKeyProvider: (_request: unknown, token: string, done: (error: Error | null, key?: never) => void) => {
          const key = tokens.keyOf(token);
          if (key === undefined) done(new Error('unknown key'));
          else done(null, key as never);
        },
        ...verification,
      });
    }

    validate(claims: SessionClaims): SessionClaims {
      return claims;
    }
  }
  return JwtStrategy;
}
