import {
  AppError,
  confirmEmail,
  emailConfirmationRequested,
  memberUpdated,
  readProfile,
  resendConfirmation,
  signUp,
  updateProfile,
  type Context,
  type InputOf,
  type OutputOf,
  type Profile,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { hashToken, newToken, Secrets } from '@tandem/platform';
import { Controller, Inject } from '@nestjs/common';
import type { IdentityConfig } from '../config';
import { hasMfa } from '../mfa/mfa.store';
import { signUpPolicy } from '../organization/single-organization';
import type { IdentityTables } from '../schema';
import { issueSession } from '../session/session.service';
import { requireUser } from '../require-user';
import { hasPendingInvitationAcrossOrganizations } from '../team/invitation.store';
import { getMember } from '../team/member.store';
import { changedProfile, checkYourEmail, minResponseMs, withMinimumTime, passwordProblem, salutationName } from './account';
import {
  confirmAccount,
  countMail,
  findAccountByEmailForUpdate,
  findProfileAcrossOrganizations,
  hasSignedUpInBrowser,
  insertConfirmation,
  createAccount,
  saveProfile,
  type Account,
} from './account.store';
import { hashPassword } from './password';

/** Sign-up, confirmation of the email address, and the user's own profile. */
@Controller()
export class AccountService {
  constructor(
    private readonly db: Database<IdentityTables>,
    private readonly secrets: Secrets,
    @Inject('CONFIG') private readonly config: Pick<IdentityConfig, 'SIGN_UP' | 'SINGLE_ORGANIZATION'>,
  ) {}

  @Handles(signUp)
  async signUp(ctx: Context, { body }: InputOf<typeof signUp>): Promise<OutputOf<typeof signUp>> {
    const problem = passwordProblem(body.password, body.email);
    if (problem) throw new AppError('request.invalid', { detail: problem.message, fields: [problem] });
    await this.assertMaySignUp(body.email);
    await withMinimumTime(minResponseMs, async () => {
      const { password, ...person } = body;
      const password_hash = await hashPassword(password);
      await this.db.asSystem('sign-up: the user has no organization yet', async (tx) => {
        await this.requestConfirmation(tx, ctx, await createAccount(tx, { ...person, password_hash }), ctx.client?.browser_hash);
      });
    });
    return { message: checkYourEmail };
  }

  @Handles(resendConfirmation)
  async resendConfirmation(ctx: Context, { body }: InputOf<typeof resendConfirmation>): Promise<OutputOf<typeof resendConfirmation>> {
    await withMinimumTime(minResponseMs, () =>
      this.db.asSystem('new confirmation link: the user has no organization yet', async (tx) => {
        const account = await findAccountByEmailForUpdate(tx, body.email);
        if (!account) return;
        const browser_hash = ctx.client?.browser_hash;
        const isSameBrowser = browser_hash !== undefined && (await hasSignedUpInBrowser(tx, account, browser_hash));
        await this.requestConfirmation(tx, ctx, account, isSameBrowser ? browser_hash : undefined);
      }),
    );
    return { message: checkYourEmail };
  }

  @Handles(confirmEmail)
  async confirmEmail(ctx: Context, { body }: InputOf<typeof confirmEmail>): Promise<OutputOf<typeof confirmEmail>> {
    return this.db.asSystem('email link: identifies a user, not an organization', async (tx) => {
      const confirmed = await confirmAccount(tx, hashToken(body.token));
      if (!confirmed) throw new AppError('confirmation.invalid');
      const { id, email, browser_hash } = confirmed;
      // The same browser typed the password, and the link proves the mailbox: together they are equivalent to a sign-in.
      const isSameBrowser = browser_hash !== null && browser_hash === ctx.client?.browser_hash;
      const issued = isSameBrowser && !(await hasMfa(tx, id)) ? await issueSession(tx, ctx, id) : null;
      return { email, issued };
    });
  }

  @Handles(readProfile)
  async readProfile(ctx: Context): Promise<Profile> {
    return this.db.asSystem('profile of a user in any organization', (tx) => getOwnProfile(tx, ctx));
  }

  @Handles(updateProfile)
  async updateProfile(ctx: Context, { body }: InputOf<typeof updateProfile>): Promise<Profile> {
    const before = await this.readProfile(ctx);
    const changes = changedProfile(before, body);
    if (Object.keys(changes).length === 0) return before;
    const { organization_id, user_id } = before;
    if (organization_id === null) {
      const saved = await this.db.asSystem('profile of a user without an organization', (tx) => saveProfile(tx, user_id, changes));
      return { ...before, ...saved };
    }
    return this.db.forTenant({ organization_id }, async (tx) => {
      const saved = await saveProfile(tx, user_id, changes);
      // Other services and users receive the names, but not the signature.
      if (changes.first_name !== undefined || changes.last_name !== undefined)
        await emit(tx, { ...ctx, organization_id }, memberUpdated, user_id, { member: await getMember(tx, user_id) });
      return { ...before, ...saved };
    });
  }

  /** Depends on invitations only, so that the response is the same whether or not the address has an account. */
  private async assertMaySignUp(email: string): Promise<void> {
    const policy = await signUpPolicy(this.db, this.config);
    if (policy === 'open') return;
    if (policy === 'closed') throw new AppError('sign_up.closed');
    const isInvited = await this.db.asSystem('sign-up: any organization may have invited the address', (tx) =>
      hasPendingInvitationAcrossOrganizations(tx, email),
    );
    if (!isInvited) throw new AppError('sign_up.invitation_required');
  }

  /** Emails a new confirmation link, or a notice if the account is confirmed already; limited by the address's hourly mail limit. */
  private async requestConfirmation(tx: Tx<IdentityTables>, ctx: Context, account: Account, browser_hash?: string): Promise<void> {
    if (!(await countMail(tx, account.id))) return;
    const { id: user_id, email } = account;
    const first_name = salutationName(account.first_name);
    let sealed_token: string | null = null;
    if (account.email_confirmed_at === null) {
      const token = newToken();
      await insertConfirmation(tx, hashToken(token), account, browser_hash ?? null);
      sealed_token = this.secrets.seal('email-confirmation', token);
    }
    // Not in any organization, even if the form was on an organization's page.
    await emit(tx, { ...ctx, organization_id: null }, emailConfirmationRequested, user_id, { user_id, email, first_name, sealed_token });
  }
}

async function getOwnProfile(tx: Tx<IdentityTables>, ctx: Context): Promise<Profile> {
  const found = await findProfileAcrossOrganizations(tx, requireUser(ctx).user_id);
  if (!found) throw new AppError('session.expired');
  const { is_active, ...profile } = found;
  if (is_active === false) throw new AppError('account.inactive');
  return profile;
}
