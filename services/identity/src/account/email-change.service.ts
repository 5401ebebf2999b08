import {
  accountChanged,
  AppError,
  changeEmail,
  confirmEmailChange,
  emailChangeRequested,
  memberUpdated,
  type Context,
  type FieldProblem,
  type InputOf,
  type OutputOf,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { hashToken, newToken, Secrets } from '@tandem/platform';
import { Controller } from '@nestjs/common';
import { recordAudit } from '../audit/audit.store';
import { getMember } from '../team/member.store';
import type { IdentityTables } from '../schema';
import { requireUser } from '../require-user';
import { checkNewAddress, minResponseMs, mailWindowSeconds, withMinimumTime, salutationName } from './account';
import { countMail, findProfileAcrossOrganizations } from './account.store';
import {
  deleteEmailChanges,
  deleteUnconfirmed,
  findEmailChange,
  findUserAndOwnerForUpdate,
  insertEmailChange,
  saveEmail,
  consumeEmailChange,
} from './email-change.store';
import { deleteLinks } from './password.store';
import { verifyPassword } from './verify-password';

const ownAddress: FieldProblem = { path: 'email', code: 'email_same', message: 'This is already your sign-in address.' };

/** Changes the sign-in address: requested with the password, and confirmed with the link emailed to the new address. */
@Controller()
export class EmailChangeService {
  constructor(
    private readonly db: Database<IdentityTables>,
    private readonly secrets: Secrets,
  ) {}

  @Handles(changeEmail)
  async changeEmail(ctx: Context, { body }: InputOf<typeof changeEmail>): Promise<OutputOf<typeof changeEmail>> {
    const { user_id } = requireUser(ctx);
    await withMinimumTime(minResponseMs, async () => {
      const proven = await verifyPassword(this.db, ctx, body.current_password);
      if (body.email === proven.email) throw new AppError('request.invalid', { detail: ownAddress.message, fields: [ownAddress] });
      await this.db.asSystem('address change of a user in any organization', (tx) =>
        this.mailLink(tx, ctx, { user_id, email: body.email, password_hash: proven.password_hash }),
      );
    });
    return { message: checkNewAddress };
  }

  @Handles(confirmEmailChange)
  async confirmEmailChange(ctx: Context, { body }: InputOf<typeof confirmEmailChange>): Promise<OutputOf<typeof confirmEmailChange>> {
    return this.db.asSystem('email link: identifies a user, not an organization', async (tx) => {
      const before = await takeAddressOver(tx, ctx, hashToken(body.token));
      const { user_id, organization_id } = before;
      const outside = { ...ctx, organization_id: null };
      const first_name = salutationName(before.first_name);
      // To the old address, so that its owner notices an attacker's change.
      await emit(tx, outside, accountChanged, user_id, { user_id, email: before.email, first_name, what: 'email_changed' });
      const { email } = before.to;
      if (organization_id === null) return { email };
      await emit(tx, { ...ctx, organization_id }, memberUpdated, user_id, { member: await getMember(tx, user_id) });
      return { email };
    });
  }

  /**
   * Emails the new address: a link, or a notice if it belongs to another account. Both count against the requester's limit, so that
   * reaching it does not reveal which was sent; the notice also counts against the owner's limit.
   */
  private async mailLink(
    tx: Tx<IdentityTables>,
    ctx: Context,
    wanted: { user_id: string; email: string; password_hash: string },
  ): Promise<void> {
    const { user_id, email } = wanted;
    const { person, owner } = await findUserAndOwnerForUpdate(tx, user_id, email);
    // The password may have been changed since it was verified.
    if (person?.password_hash !== wanted.password_hash) throw new AppError('password.wrong');
    if (!(await countMail(tx, user_id))) throw new AppError('limit.exceeded', { retryAfterSeconds: mailWindowSeconds });
    await deleteEmailChanges(tx, user_id);
    const outside = { ...ctx, organization_id: null };
    if (owner?.email_confirmed_at) {
      if (!(await countMail(tx, owner.id))) return;
      const first_name = salutationName(owner.first_name);
      await emit(tx, outside, emailChangeRequested, user_id, { user_id, email, first_name, sealed_token: null });
      return;
    }
    const token = newToken();
    await insertEmailChange(tx, { token_hash: hashToken(token), user_id, email });
    const first_name = salutationName(person.first_name);
    const sealed_token = this.secrets.seal('email-change', token);
    await emit(tx, outside, emailChangeRequested, user_id, { user_id, email, first_name, sealed_token });
  }
}

/**
 * Uses up the link, saves the address and returns the profile before the change. Throws `confirmation.invalid`, which rolls back the
 * transaction.
 */
async function takeAddressOver(tx: Tx<IdentityTables>, ctx: Context, token_hash: string) {
  const to = await findEmailChange(tx, token_hash);
  if (!to) throw new AppError('confirmation.invalid');
  const { user_id, email } = to;
  const { owner } = await findUserAndOwnerForUpdate(tx, user_id, email);
  const before = await findProfileAcrossOrganizations(tx, user_id);
  if (!(await consumeEmailChange(tx, token_hash)) || !before || before.is_active === false) throw new AppError('confirmation.invalid');
  if (owner?.email_confirmed_at) throw new AppError('confirmation.invalid');
  if (owner) await deleteUnconfirmed(tx, owner.id);
  const { organization_id } = before;
  const changes = { email: { from: before.email, to: email } };
  // Before the address changes, so that the log entry has the actor's old address.
  await recordAudit(tx, ctx, { type: 'email.changed', organization_id, actor_id: user_id, changes });
  if (!(await saveEmail(tx, user_id, email))) throw new AppError('confirmation.invalid');
  await deleteLinks(tx, user_id);
  return { ...before, to };
}
