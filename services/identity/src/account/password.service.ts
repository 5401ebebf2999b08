import {
  accountChanged,
  AppError,
  changePassword,
  passwordResetRequested,
  requestPasswordReset,
  resetPassword,
  type AuditType,
  type Context,
  type InputOf,
  type OutputOf,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { hashToken, newToken, Secrets } from '@tandem/platform';
import { Controller } from '@nestjs/common';
import { endSessions } from '../access/access.store';
import { recordAudit } from '../audit/audit.store';
import type { IdentityTables } from '../schema';
import { requireUser } from '../require-user';
import { changedPasswordProblem, checkForReset, minResponseMs, withMinimumTime, passwordProblem, salutationName } from './account';
import { countMail, findAccountByEmailForUpdate, findProfileAcrossOrganizations } from './account.store';
import { hashPassword } from './password';
import { deleteLinks, findAccountOfReset, insertPasswordReset, savePassword, consumePasswordReset } from './password.store';
import { verifyPassword } from './verify-password';

/** Password reset with an emailed link, and password change with the current password. */
@Controller()
export class PasswordService {
  constructor(
    private readonly db: Database<IdentityTables>,
    private readonly secrets: Secrets,
  ) {}

  @Handles(requestPasswordReset)
  async requestPasswordReset(ctx: Context, { body }: InputOf<typeof requestPasswordReset>): Promise<OutputOf<typeof requestPasswordReset>> {
    await withMinimumTime(minResponseMs, () =>
      this.db.asSystem('forgotten password: the address identifies a user, not an organization', (tx) =>
        this.mailLink(tx, ctx, body.email),
      ),
    );
    return { message: checkForReset };
  }

  @Handles(resetPassword)
  async resetPassword(ctx: Context, { body }: InputOf<typeof resetPassword>): Promise<OutputOf<typeof resetPassword>> {
    const token_hash = hashToken(body.token);
    const account = await this.db.asSystem('email link: identifies a user, not an organization', (tx) =>
      findAccountOfReset(tx, token_hash),
    );
    if (!account) throw new AppError('reset.invalid');
    // Before the link is used up, so that the user can choose another password.
    const problem = passwordProblem(body.password, account.email);
    if (problem) throw new AppError('request.invalid', { detail: problem.message, fields: [problem] });
    const password_hash = await hashPassword(body.password);
    return this.db.asSystem('email link: identifies a user, not an organization', async (tx) => {
      const taken = await consumePasswordReset(tx, token_hash);
      if (!taken) throw new AppError('reset.invalid');
      await savePassword(tx, taken.id, password_hash);
      await endSessions(tx, ctx, taken.id, 'password_reset');
      await passwordHasChanged(tx, ctx, taken.id, 'password.reset', 'reset.invalid');
      return { email: taken.email };
    });
  }

  @Handles(changePassword)
  async changePassword(ctx: Context, { body }: InputOf<typeof changePassword>): Promise<OutputOf<typeof changePassword>> {
    const { user_id, session_id } = requireUser(ctx);
    const proven = await verifyPassword(this.db, ctx, body.current_password);
    const problem = changedPasswordProblem(body.current_password, body.new_password, proven.email);
    if (problem) throw new AppError('request.invalid', { detail: problem.message, fields: [problem] });
    const password_hash = await hashPassword(body.new_password);
    await this.db.asSystem('password change of a user in any organization', async (tx) => {
      if (!(await savePassword(tx, user_id, password_hash, proven.password_hash))) throw new AppError('password.wrong');
      await endSessions(tx, ctx, user_id, 'password_changed', session_id);
      await passwordHasChanged(tx, ctx, user_id, 'password.changed', 'account.inactive');
    });
    return {};
  }

  /**
   * Emails confirmed accounts that may sign in, within their hourly mail limit. For any other address it does nothing, and the response is
   * the same.
   */
  private async mailLink(tx: Tx<IdentityTables>, ctx: Context, address: string): Promise<void> {
    const account = await findAccountByEmailForUpdate(tx, address);
    if (!account || account.email_confirmed_at === null) return;
    const { id: user_id, email } = account;
    const profile = await findProfileAcrossOrganizations(tx, user_id);
    if (profile?.is_active === false || !(await countMail(tx, user_id))) return;
    const token = newToken();
    await insertPasswordReset(tx, hashToken(token), user_id);
    const first_name = salutationName(account.first_name);
    const sealed_token = this.secrets.seal('password-reset', token);
    // Not in any organization, even if the form was on an organization's page.
    await emit(tx, { ...ctx, organization_id: null }, passwordResetRequested, user_id, { user_id, email, first_name, sealed_token });
  }
}

/** The consequences of every password change. Throws `refusal` for a deactivated member, which rolls back the transaction. */
async function passwordHasChanged(
  tx: Tx<IdentityTables>,
  ctx: Context,
  user_id: string,
  type: AuditType,
  refusal: 'reset.invalid' | 'account.inactive',
): Promise<void> {
  const profile = await findProfileAcrossOrganizations(tx, user_id);
  if (!profile || profile.is_active === false) throw new AppError(refusal);
  await deleteLinks(tx, user_id);
  await recordAudit(tx, ctx, { type, organization_id: profile.organization_id, actor_id: user_id });
  const { email } = profile;
  const first_name = salutationName(profile.first_name);
  await emit(tx, { ...ctx, organization_id: null }, accountChanged, user_id, { user_id, email, first_name, what: 'password_changed' });
}
