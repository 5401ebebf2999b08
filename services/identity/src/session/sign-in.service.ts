import {
  AppError,
  recordLockOut,
  signIn,
  verifyMfa,
  type AuditType,
  type Context,
  type InputOf,
  type IssuedSession,
  type OutputOf,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import { Controller } from '@nestjs/common';
import { lockUser } from '../access/access.store';
import { findAccountByEmail, findProfileAcrossOrganizations, type Account } from '../account/account.store';
import { passwordMatches } from '../account/password';
import { recordAudit } from '../audit/audit.store';
import { blockedProblem } from '../mfa/mfa';
import { deleteChallenge, findAuthenticator, findChallenged, hasMfa, insertChallenge } from '../mfa/mfa.store';
import { verifyCode, type CodeResult } from '../mfa/verify-code';
import type { IdentityTables } from '../schema';
import { countLockOut, countSignIn } from './sign-in.metrics';
import { minFailureMs, withMinimumFailureTime } from './session';
import { issueSession } from './session.service';
import { findOrganizationOfUserAcrossOrganizations } from './session.store';

type IdentityTx = Tx<IdentityTables>;

/** Sign-in with a password and, if enabled, a second factor (docs/product-rules.md#sign-in). For OpenID see src/oidc. */
@Controller()
export class SignInService {
  constructor(
    private readonly db: Database<IdentityTables>,
    private readonly secrets: Secrets,
  ) {}

  @Handles(signIn)
  async signIn(ctx: Context, { body }: InputOf<typeof signIn>): Promise<OutputOf<typeof signIn>> {
    return withMinimumFailureTime(minFailureMs, async () => {
      try {
        return await countSignIn('password', () => this.firstStep(ctx, body.email, body.password));
      } catch (error) {
        if (error instanceof AppError && error.status < 500) await this.note(ctx, 'sign_in.failed', body.email);
        throw error;
      }
    });
  }

  private async firstStep(ctx: Context, email: string, password: string): Promise<OutputOf<typeof signIn>> {
    const account = await this.db.asSystem('sign-in: the address identifies a user, not an organization', (tx) =>
      findAccountByEmail(tx, email),
    );
    const matches = await passwordMatches(account?.password_hash, password);
    if (!account || !matches) throw new AppError('credentials.invalid');
    // The caller has proved the password from here on, so specific errors reveal nothing to strangers.
    if (account.email_confirmed_at === null) throw new AppError('email.not_confirmed');
    return this.db.asSystem('sign-in: a session belongs to a user, not to an organization', (tx) => completeSignIn(tx, ctx, account));
  }

  @Handles(verifyMfa)
  async verifyMfa(ctx: Context, { body }: InputOf<typeof verifyMfa>): Promise<IssuedSession> {
    return countSignIn('second_step', async () => {
      const outcome = await this.db.asSystem('second step of a sign-in: a session belongs to a user, not to an organization', (tx) =>
        this.secondStep(tx, ctx, body.mfa_token, body.code),
      );
      // Outside the transaction, which must commit the count of wrong codes.
      if (outcome instanceof AppError) throw outcome;
      return outcome;
    });
  }

  private async secondStep(tx: IdentityTx, ctx: Context, mfa_token: string, code: string): Promise<IssuedSession | AppError> {
    const user_id = await findChallenged(tx, mfa_token);
    const account = user_id === undefined ? undefined : await lockUser(tx, user_id);
    // Check again under the lock: a concurrent request may have used up the challenge, or a password change may have deleted it.
    if (user_id === undefined || !account || (await findChallenged(tx, mfa_token)) === undefined)
      return new AppError('mfa.challenge_expired');
    const authenticator = await findAuthenticator(tx, user_id);
    if (!authenticator || authenticator.confirmed_at === null) return new AppError('mfa.challenge_expired');
    const verdict = await verifyCode(tx, this.secrets, user_id, authenticator, code);
    await recordCodeResult(tx, ctx, user_id, verdict);
    if (verdict.is === 'blocked') return blockedProblem(verdict.seconds);
    if (verdict.is === 'wrong') return new AppError('mfa.code_invalid');
    await deleteChallenge(tx, mfa_token);
    return issueSession(tx, ctx, user_id, { secondFactor: true });
  }

  @Handles(recordLockOut)
  async recordLockOut(ctx: Context, { body }: InputOf<typeof recordLockOut>): Promise<OutputOf<typeof recordLockOut>> {
    countLockOut('password');
    await this.note(ctx, 'sign_in.locked_out', body.email.trim().toLowerCase());
    return {};
  }

  /** Logs a failed sign-in in the organization of the address's account; nothing for unknown addresses. */
  private async note(ctx: Context, type: AuditType, email: string): Promise<void> {
    // PostgreSQL rejects NUL characters, and no account has one.
    if (email.includes('\u0000')) return;
    await this.db.asSystem('failed sign-in of a user in any organization', async (tx) => {
      const account = await findAccountByEmail(tx, email);
      if (account) await recordFailure(tx, ctx, type, account.id);
    });
  }
}

/** Completes a sign-in with the right password: opens a session or requires the second step. */
async function completeSignIn(tx: IdentityTx, ctx: Context, account: Account): Promise<OutputOf<typeof signIn>> {
  const locked = await lockUser(tx, account.id);
  // The password was changed after it was compared: the old one must not open a session after that change has ended all others.
  if (locked?.password_hash !== account.password_hash) throw new AppError('credentials.invalid');
  if (!(await hasMfa(tx, account.id))) return issueSession(tx, ctx, account.id);
  const profile = await findProfileAcrossOrganizations(tx, account.id);
  if (profile?.is_active === false) throw new AppError('account.inactive');
  return { mfa_required: true, ...(await insertChallenge(tx, account.id)) };
}

async function recordCodeResult(tx: IdentityTx, ctx: Context, user_id: string, verdict: CodeResult): Promise<void> {
  if (verdict.is === 'right') {
    if (!verdict.recovery) return;
    const organization_id = await findOrganizationOfUserAcrossOrganizations(tx, user_id);
    await recordAudit(tx, ctx, { type: 'mfa.recovery_code_used', organization_id, actor_id: user_id });
    return;
  }
  await recordFailure(tx, ctx, 'sign_in.failed', user_id);
  if (verdict.is !== 'wrong' || !verdict.locksOut) return;
  countLockOut('second_step');
  await recordFailure(tx, ctx, 'sign_in.locked_out', user_id);
}

/** Leaves the actor empty: a failed sign-in does not prove identity. */
async function recordFailure(tx: IdentityTx, { client }: Context, type: AuditType, user_id: string): Promise<void> {
  const profile = await findProfileAcrossOrganizations(tx, user_id);
  if (!profile) return;
  await recordAudit(tx, { actor: { type: 'customer' }, client }, { type, organization_id: profile.organization_id, target: profile.email });
}
