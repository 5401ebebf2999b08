import { refreshSession } from '@tandem/contracts';
import * as z from 'zod';
import { bytesOf, type GatewayRequest } from '../request';
import { bodyOf } from './body';

/** The body of a refresh request; the refresh token is in its cookie. */
export const RefreshBody = z.strictObject({ idle_seconds: refreshSession.input.body.shape.idle_seconds });

/**
 * The seconds since the last user activity, as reported by the page; 0 without a body. Validated here and not by the owner: a rejection by
 * the owner ends the session, and an invalid body must not.
 */
export function idleSecondsIn(request: GatewayRequest): number {
  const bytes = bytesOf(request);
  return bytes === undefined || bytes.length === 0 ? 0 : bodyOf(request, RefreshBody).idle_seconds;
}
