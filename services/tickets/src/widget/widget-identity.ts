import { AppError, blankToNull, email, ticketLimits, widgetIdentityMaxSeconds } from '@tandem/contracts';
import { jwtVerify } from 'jose';
import * as z from 'zod';

/** Whom a website says its visitor is. */
export interface Visitor {
  customer_email: string;
  customer_name: string | null;
}

const Claims = z.object({ email: email(), name: blankToNull(ticketLimits.name), exp: z.number() });

/** One answer to everything that may be wrong with a token: which of them it was helps only whoever forges one. */
export const identityInvalid = (cause?: unknown): AppError => new AppError('widget.identity_invalid', { cause });

/**
 * Reads what a website has signed with its organization's secret. The algorithm is ours to choose, not the token's: `none`, or a public key
 * taken for a secret, is refused with all others. A token that lives longer than `widgetIdentityMaxSeconds` is no token of ours, since
 * whoever finds it in a log could use it that long.
 */
export async function readIdentityToken(token: string, secret: string, now = new Date()): Promise<Visitor> {
  try {
    const options = { algorithms: ['HS256'], requiredClaims: ['email', 'exp'], currentDate: now };
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), options);
    const { email: customer_email, name: customer_name, exp } = Claims.parse(payload);
    if (exp > now.getTime() / 1000 + widgetIdentityMaxSeconds) throw new Error('The token lives too long');
    return { customer_email, customer_name };
  } catch (error) {
    throw identityInvalid(error);
  }
}
