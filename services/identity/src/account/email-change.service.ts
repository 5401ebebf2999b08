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
import { signedIn } from '../signed-in';
import { checkNewAddress, evenAnswerMs, mailWindowSeconds, noSoonerThan, salutationName } from './account';
import { countMail, findProfileAcrossOrganizations } from './account.store';
import {
  deleteEmailChanges,
  deleteUnconfirmed,
  findEmailChange,
  findPersonAndOwnerForUpdate,
  insertEmailChange,
  saveEmail,
  takeEmailChange,
} from './email-change.store';
import { deleteLinks } from './password.store';
import { provePassword } from './prove-password';

const ownAddress: FieldProblem = { path: 'email', code: 'email_same', message: 'This is your sign-in address already.' };

/** Another sign-in address: asked for with the password, and taken over with the link that was mailed to it. */
@Controller()
export class EmailChangeService {
  constructor(
    private readonly db: Database<IdentityTables>,
    private readonly secrets: Secrets,
  ) {}

  @Handles(changeEmail)
  async changeEmail(ctx: Context, { body }: InputOf<typeof changeEmail>): Promise<OutputOf<typeof changeEmail>> {
    const { user_id } = signedIn(ctx);
    await noSoonerThan(evenAnswerMs, async () => {
      const proven = await provePassword(this.db, ctx, body.current_password);
      if (body.email === proven.email) throw new AppError('request.invalid', { detail: ownAddress.message, fields: [ownAddress] });
      await this.db.asSystem('the own address, in whichever organization', (tx) =>
        this.mailLink(tx, ctx, { user_id, email: body.email, password_hash: proven.password_hash }),
      );
    });
    return { message: checkNewAddress };
  }

  @Handles(confirmEmailChange)
  async confirmEmailChange(ctx: Context, { body }: InputOf<typeof confirmEmailChange>): Promise<OutputOf<typeof confirmEmailChange>> {
    return this.db.asSystem('a mailed link names a person, not an organization', async (tx) => {
      const before = await takeAddressOver(tx, ctx, hashToken(body.token));
      const { user_id, organization_id } = before;
      const outside = { ...ctx, organization_id: null };
      const first_name = salutationName(before.first_name);
      // To the address that it was: if it was not its owner who did this, they hear of it there.
      await emit(tx, outside, accountChanged, user_id, { user_id, email: before.email, first_name, what: 'email_changed' });
      const { email } = before.to;
      if (organization_id === null) return { email };
      await emit(tx, { ...ctx, organization_id }, memberUpdated, user_id, { member: await getMember(tx, user_id) });
      return { email };
    });
  }

  /**
   * Mails the wanted address: a link, or to its owner a word about it. Both count into the share of the person who asks, so that it
   * tells nobody which it was; the owner's mail counts into the owner's share as well.
   */
  private async mailLink(
    tx: Tx<IdentityTables>,
    ctx: Context,
    wanted: { user_id: string; email: string; password_hash: string },
  ): Promise<void> {
    const { user_id, email } = wanted;
    const { person, owner } = await findPersonAndOwnerForUpdate(tx, user_id, email);
    // The password may have been changed since it was shown.
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

/** Uses the link up and writes the address; answers who it was before. Throws `confirmation.invalid`, and then nothing has happened. */
async function takeAddressOver(tx: Tx<IdentityTables>, ctx: Context, token_hash: string) {
  const to = await findEmailChange(tx, token_hash);
  if (!to) throw new AppError('confirmation.invalid');
  const { user_id, email } = to;
  const { owner } = await findPersonAndOwnerForUpdate(tx, user_id, email);
  const before = await findProfileAcrossOrganizations(tx, user_id);
  if (!(await takeEmailChange(tx, token_hash)) || !before || before.is_active === false) throw new AppError('confirmation.invalid');
  if (owner?.email_confirmed_at) throw new AppError('confirmation.invalid');
  if (owner) await deleteUnconfirmed(tx, owner.id);
  const { organization_id } = before;
  const changes = { email: { from: before.email, to: email } };
  // Before the address is another: the line carries who did it as they were called then.
  await recordAudit(tx, ctx, { type: 'email.changed', organization_id, actor_id: user_id, changes });
  if (!(await saveEmail(tx, user_id, email))) throw new AppError('confirmation.invalid');
  await deleteLinks(tx, user_id);
  return { ...before, to };
}
