import { AppError, refreshSession } from '@tandem/contracts';
import { fieldProblems } from '@tandem/platform';
import * as z from 'zod';
import { bytesOf, type GatewayRequest } from '../request';

/** What a browser sends to refresh: the token itself comes in its cookie. */
export const RefreshBody = z.strictObject({ idle_seconds: refreshSession.input.body.shape.idle_seconds });

/** How long ago the person last did something, as the page says; now, where it says nothing. */
export function idleSecondsIn(request: GatewayRequest): number {
  const bytes = bytesOf(request);
  if (bytes === undefined || bytes.length === 0) return 0;
  const parsed = RefreshBody.safeParse(jsonIn(bytes));
  // Here and not at the owner: a refusal of the owner's ends the session, and a mistake of the page's must not.
  if (!parsed.success) throw new AppError('request.invalid', { fields: fieldProblems(parsed.error) });
  return parsed.data.idle_seconds;
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new AppError('request.malformed', { cause });
  }
}
