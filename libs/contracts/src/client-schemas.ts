import * as z from 'zod';
import { beginOidc, ConfirmedEmail, MfaChallenge, refreshSession, Session } from './identity';

/**
 * What clients send and receive, by operation, where it differs from what the owner receives and returns: the gateway keeps tokens in
 * cookies, and adds the refresh token and the browser binding itself.
 */
export const clientSchemas = {
  'identity.signIn': { output: z.union([Session, MfaChallenge]) },
  'identity.verifyMfa': { output: Session },
  'identity.refreshSession': { output: Session, body: refreshSession.input.body.pick({ idle_seconds: true }) },
  'identity.extendSession': { output: Session },
  'identity.confirmEmail': { output: ConfirmedEmail },
  'identity.beginOidc': { body: beginOidc.input.body.omit({ binding: true }) },
} satisfies Record<string, { body?: z.ZodType; output?: z.ZodType }>;
