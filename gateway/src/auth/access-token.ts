import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { sessionRules, type IssuedSession, type Role } from '@tandem/contracts';
import { Inject, Injectable } from '@nestjs/common';
import jwt from 'jsonwebtoken';
import type { GatewayConfig } from '../config';

/** The claims of an access token. Times are Unix seconds. */
export interface SessionClaims {
  sub: string;
  sid: string;
  org: string | null;
  role: Role | null;
  /** The version of the user's access rights; an announced newer version (`access.changed`) invalidates this token. */
  ver: number;
  /** The user must set up two-factor sign-in first; until then the token gives access to their own account only. */
  enrol: boolean;
  /** `idle`: when the session ends unless it is refreshed. `abs`: when it ends in any case. */
  idle: number;
  abs: number;
  iat: number;
  exp: number;
}

const algorithm = 'HS256';
const issuer = 'tandem';
const audience = 'tandem-api';
const lifeSeconds = sessionRules.accessTokenMinutes * 60;
/** Bounds the memory for verified tokens to a few megabytes. */
const maxVerified = 5_000;
const seconds = (timestamp: string) => Math.floor(Date.parse(timestamp) / 1000);

/** A KeyObject instead of the string: jsonwebtoken would spend 350 µs per token on converting the string. */
function keyFor(secret: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'tandem', purpose, 32)));
}
const keyId = (key: KeyObject) => createHash('sha256').update(key.export()).digest('hex').slice(0, 8);

/** Signs and verifies the ten-minute access tokens with one algorithm; the key is selected by its id. The first secret signs, all verify. */
@Injectable()
export class AccessTokens {
  private readonly keys = new Map<string, KeyObject>();
  private readonly currentKeyId: string;
  /** Claims of verified tokens by the token's text, the least recently used first. */
  private readonly verified = new Map<string, SessionClaims>();
  /** The keys of the CSRF tokens, derived from the same secrets. */
  readonly csrfKeys: KeyObject[];

  constructor(@Inject('CONFIG') { SESSION_SECRET: secrets }: Pick<GatewayConfig, 'SESSION_SECRET'>) {
    for (const secret of secrets) {
      const key = keyFor(secret, 'access-token');
      this.keys.set(keyId(key), key);
    }
    this.currentKeyId = this.keys.keys().next().value!;
    this.csrfKeys = secrets.map((secret) => keyFor(secret, 'csrf-token'));
  }

  /** Issues a token for a session that identity returned; it never outlives the session. */
  issue({ session, access_version }: Pick<IssuedSession, 'session' | 'access_version'>): string {
    const { profile, session_id } = session;
    return this.sign({
      sub: profile.user_id,
      sid: session_id,
      org: profile.organization_id,
      role: profile.role,
      ver: access_version,
      enrol: session.mfa_enrolment_required,
      idle: seconds(session.idle_expires_at),
      abs: seconds(session.absolute_expires_at),
    });
  }

  /** Valid for ten minutes, or until the session ends if that is sooner. */
  sign({ sub, sid, org, role, ver, enrol, idle, abs }: Omit<SessionClaims, 'iat' | 'exp'>): string {
    const now = Math.floor(Date.now() / 1000);
    const exp = Math.min(now + lifeSeconds, idle, abs);
    return jwt.sign({ sub, sid, org, role, ver, enrol, idle, abs, iat: now, exp }, this.keys.get(this.currentKeyId)!, {
      algorithm,
      issuer,
      audience,
      keyid: this.currentKeyId,
    });
  }

  /** The claims of a token that has been verified and has not expired. */
  findVerified(token: string | undefined): SessionClaims | undefined {
    const claims = token === undefined ? undefined : this.verified.get(token);
    if (token === undefined || claims === undefined) return undefined;
    this.verified.delete(token);
    if (claims.exp * 1000 <= Date.now()) return undefined;
    this.verified.set(token, claims);
    return claims;
  }

  /** Remembers the claims of a token whose signature is valid. */
  addVerified(token: string, claims: SessionClaims): void {
    const oldest = this.verified.size >= maxVerified ? this.verified.keys().next().value : undefined;
    if (oldest !== undefined) this.verified.delete(oldest);
    this.verified.set(token, claims);
  }

  /** The key that a token names; undefined for an unreadable token or a key that is not in the list. */
  keyOf(token: string): KeyObject | undefined {
    const kid = jwt.decode(token, { complete: true })?.header.kid;
    return kid === undefined ? undefined : this.keys.get(kid);
  }

  /** The claims of a token whose ten minutes may have passed, for refresh and sign-out; its signature must still be valid. */
  verifyEvenIfExpired(token: string | undefined): SessionClaims | undefined {
    const key = token === undefined ? undefined : this.keyOf(token);
    if (token === undefined || key === undefined) return undefined;
    try {
      return jwt.verify(token, key, { ...verification, ignoreExpiration: true }) as unknown as SessionClaims;
    } catch (error) {
      if (error instanceof jwt.JsonWebTokenError) return undefined; // Forged or damaged: treated like a missing token.
      throw error;
    }
  }
}

/** How a token must be signed; shared with the passport strategy. */
export const verification: { algorithms: ['HS256']; issuer: string; audience: string } = { algorithms: [algorithm], issuer, audience };
