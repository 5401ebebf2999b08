import { AppError, blankToNull, email, ticketLimits, widgetIdentityMaxSeconds } from '@tandem/contracts';
import * as z from 'zod';

/** The visitor's identity as confirmed by the website. */
export interface Visitor {
  customer_email: string;
  customer_name: string | null;
}

const Claims = z.object({ email: email(), name: blankToNull(ticketLimits.name), exp: z.number() });

/** The same error for all problems with a token, because a more specific one would only help forgers. */
export const identityInvalid = (cause?: unknown): AppError => new AppError('widget.identity_invalid', { cause });

/**
 * Verifies a token that a website has signed with its organization's secret. The algorithm is fixed and not taken from the token, which
 * excludes `none` and the use of a public key as the secret. Rejects tokens that expire later than `widgetIdentityMaxSeconds` from now,
 * because a token leaked through a log would be usable for that long.
 */
export async function readIdentityToken(token: string, secret: string, now = new Date()): Promise<Visitor> {
  // Loaded when it is needed: it takes 25 ms of CPU time at a start.
  const { jwtVerify } = await import('jose');
  try {
    const options = { algorithms: ['HS256'], requiredClaims: ['email', 'exp'], currentDate: now };
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), options);
    const { email: customer_email, name: customer_name, exp } = Claims.parse(payload);
    if (exp > now.getTime() / 1000 + widgetIdentityMaxSeconds) throw new Error('the token expires too late');
    return { customer_email, customer_name };
  } catch (error) {
    throw identityInvalid(error);
  }
}
