import { refreshSession } from '@tandem/contracts';
import * as z from 'zod';
import { bytesOf, type GatewayRequest } from '../request';
import { bodyOf } from './body';

/** What a browser sends to refresh: the token itself comes in its cookie. */
export const RefreshBody = z.strictObject({ idle_seconds: refreshSession.input.body.shape.idle_seconds });

/**
 * How long ago the person last did something, as the page says; now, where it says nothing. Parsed here and not at the owner: a refusal of
 * the owner's ends the session, and a mistake of the page's must not.
 */
export function idleSecondsIn(request: GatewayRequest): number {
  const bytes = bytesOf(request);
  return bytes === undefined || bytes.length === 0 ? 0 : bodyOf(request, RefreshBody).idle_seconds;
}
