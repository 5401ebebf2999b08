import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { sessionRules, type IssuedSession, type Role } from '@tandem/contracts';
import { Inject, Injectable } from '@nestjs/common';
import jwt from 'jsonwebtoken';
import type { GatewayConfig } from '../config';

/** What an access token says. Times are Unix seconds. */
export interface SessionClaims {
  sub: string;
  sid: string;
  org: string | null;
  role: Role | null;
  /** The version of the person's access: a newer one that was announced (`access.changed`) ends this token. */
  ver: number;
  /** The organization asks for two-factor sign-in first: until then the token opens the own account and nothing else. */
  enrol: boolean;
  /** When the session ends unless it is refreshed, and when it ends in any case. */
  idle: number;
  abs: number;
  iat: number;
  exp: number;
}

const algorithm = 'HS256';
const issuer = 'tandem';
const audience = 'tandem-api';
const lifeSeconds = sessionRules.accessTokenMinutes * 60;
const seconds = (timestamp: string) => Math.floor(Date.parse(timestamp) / 1000);

/** A KeyObject, not the string: jsonwebtoken spends 350 µs on turning a string into a key for every token. */
function keyFor(secret: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'tandem', purpose, 32)));
}
const keyId = (key: KeyObject) => createHash('sha256').update(key.export()).digest('hex').slice(0, 8);

/** Signs and verifies the ten-minute access tokens: one algorithm, keys by id from a list of at most two. */
@Injectable()
export class AccessTokens {
  private readonly keys = new Map<string, KeyObject>();
  private readonly currentKeyId: string;
  /** For the CSRF tokens, which belong to the same secret. */
  readonly csrfKeys: KeyObject[];

  constructor(@Inject('CONFIG') config: Pick<GatewayConfig, 'SESSION_SECRET' | 'SESSION_SECRET_PREVIOUS'>) {
    const secrets = [config.SESSION_SECRET, config.SESSION_SECRET_PREVIOUS].filter((secret) => secret !== undefined);
    for (const secret of secrets) {
      const key = keyFor(secret, 'access-token');
      this.keys.set(keyId(key), key);
    }
    this.currentKeyId = this.keys.keys().next().value!;
    this.csrfKeys = secrets.map((secret) => keyFor(secret, 'csrf-token'));
  }

  /** A token for a session as identity describes it; never outlives the session. */
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

  /** Valid for ten minutes from now, or as long as the session lasts. */
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

  /** The key that a token names; undefined for an unreadable token or a key that is not in the list. */
  keyOf(token: string): KeyObject | undefined {
    const kid = jwt.decode(token, { complete: true })?.header.kid;
    return kid === undefined ? undefined : this.keys.get(kid);
  }

  /** Who signed out or refreshes: the token must be ours, its ten minutes may be over. */
  evenIfExpired(token: string | undefined): SessionClaims | undefined {
    const key = token === undefined ? undefined : this.keyOf(token);
    if (token === undefined || key === undefined) return undefined;
    try {
      return jwt.verify(token, key, { ...verification, ignoreExpiration: true }) as unknown as SessionClaims;
    } catch (error) {
      if (error instanceof jwt.JsonWebTokenError) return undefined; // Forged or mangled: as good as none.
      throw error;
    }
  }
}

/** How a token must be signed; shared with the passport strategy. */
export const verification: { algorithms: ['HS256']; issuer: string; audience: string } = { algorithms: [algorithm], issuer, audience };
