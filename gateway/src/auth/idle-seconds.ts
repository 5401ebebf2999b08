import { clientSchemas } from '@tandem/contracts';
import { bytesOf, type GatewayRequest } from '../request';
import { bodyOf } from './body';

/**
 * The seconds since the last user activity, as reported by the page; 0 without a body. Validated here and not by the service: a rejection
 * by the service ends the session, and an invalid body must not.
 */
export function idleSecondsIn(request: GatewayRequest): number {
  const bytes = bytesOf(request);
  return bytes === undefined || bytes.length === 0 ? 0 : bodyOf(request, clientSchemas['identity.refreshSession'].body).idle_seconds;
}
