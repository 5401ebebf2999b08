import { randomBytes } from 'node:crypto';
import { AppError, limits, type Role } from '@tandem/contracts';
import { Secret, TOTP } from 'otpauth';

/** How long a sign-in may wait for its second step. */
export const challengeMinutes = 5;
export const recoveryCodeCount = 10;

/** The RFC 6238 parameters that every authenticator app supports. */
const rules = { algorithm: 'SHA1', digits: 6, period: 30 };
/** Also accepts the codes of the previous and the next step, because phone clocks differ (RFC 6238, 5.2). */
const window = 1;

/** 20 random bytes in base32: the output length of SHA-1 (RFC 4226, 4). */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** The content of the QR code. */
export const otpauthUri = (secret: string, email: string): string =>
  new TOTP({ ...rules, issuer: 'Tandem', label: email, secret }).toString();

/** Six digits are an authenticator code; any other code that the contract accepts is a recovery code. */
export const isAuthenticatorCode = (code: string): boolean => /^\d{6}$/.test(code);

/**
 * The time step of a code; undefined if it is not valid at `now`, or its step was used already (RFC 6238, 5.2: codes are accepted once).
 */
export function stepOfCode(secret: string, code: string, now: string, last_used_step: number | null): number | undefined {
  if (!isAuthenticatorCode(code)) return undefined; // The library throws for text that only resembles six digits.
  const timestamp = Date.parse(now);
  const delta = TOTP.validate({ ...rules, token: code, secret: Secret.fromBase32(secret), timestamp, window });
  if (delta === null) return undefined;
  const step = Math.floor(timestamp / 1000 / rules.period) + delta;
  return last_used_step !== null && step <= last_used_step ? undefined : step;
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** 80 random bits in 16 characters. 32 divides 256, so all characters are equally likely. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () => [...randomBytes(16)].map((byte) => base32[byte % 32]).join(''));

/** The displayed form: xxxx-xxxx-xxxx-xxxx. */
export const formatRecoveryCode = (code: string): string => code.match(/.{4}/g)!.join('-');

/** Organizations can require two-factor sign-in from admins only. */
export const mfaRequired = (place: { role: Role | null; require_mfa_for_admins: boolean | null }): boolean =>
  place.role === 'admin' && place.require_mfa_for_admins === true;

/** Wrong codes since `failed_since`, and until when all codes are rejected. */
export interface FailedCodes {
  failed_count: number;
  failed_since: string | null;
  blocked_until: string | null;
}
export const noFailedCodes: FailedCodes = { failed_count: 0, failed_since: null, blocked_until: null };

const { limit, windowSeconds, blockSeconds } = limits.login;

/** Same limits as for passwords: the last of five wrong codes in 15 minutes blocks for 30. */
export function afterWrongCode(before: FailedCodes, now: string): FailedCodes {
  const { failed_since, blocked_until: earlier } = before;
  // An expired block also ends the window.
  const isOver = failed_since === null || earlier !== null || Date.parse(now) - Date.parse(failed_since) >= windowSeconds * 1000;
  const failed_count = isOver ? 1 : before.failed_count + 1;
  const blocked_until = failed_count >= limit ? new Date(Date.parse(now) + blockSeconds * 1000).toISOString() : null;
  return { failed_count, failed_since: isOver ? now : failed_since, blocked_until };
}

/** Seconds until codes are accepted again; 0 if they are accepted now. */
export const blockedSeconds = ({ blocked_until }: FailedCodes, now: string): number =>
  blocked_until === null ? 0 : Math.max(0, Math.ceil((Date.parse(blocked_until) - Date.parse(now)) / 1000));

/** The same message as for a blocked password sign-in. */
export const blockedProblem = (retryAfterSeconds: number): AppError =>
  new AppError('login.blocked', {
    detail: `Too many failed login attempts. Please try again in ${Math.ceil(retryAfterSeconds / 60)} minutes.`,
    retryAfterSeconds,
  });
