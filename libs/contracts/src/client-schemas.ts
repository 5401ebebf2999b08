import * as z from 'zod';
import { beginOidc, ConfirmedEmail, MfaChallenge, refreshSession, Session } from './identity';

/**
 * The requests and responses of clients, by operation, where they differ from those of the owner: the gateway keeps tokens in
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
