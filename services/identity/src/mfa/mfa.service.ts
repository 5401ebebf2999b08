import {
  accountChanged,
  AppError,
  beginMfa,
  confirmMfa,
  disableMfa,
  memberUpdated,
  readMfa,
  renewRecoveryCodes,
  type Context,
  type InputOf,
  type MfaState,
  type OutputOf,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import { Controller } from '@nestjs/common';
import { lockUser, bumpAccessVersion } from '../access/access.store';
import { salutationName } from '../account/account';
import { verifyPassword } from '../account/verify-password';
import { recordAudit } from '../audit/audit.store';
import { getMember } from '../team/member.store';
import type { IdentityTables } from '../schema';
import { requireUser } from '../require-user';
import { blockedProblem, newSecret, otpauthUri } from './mfa';
import {
  findAuthenticator,
  findMfaOwnerAcrossOrganizations,
  hasMfa,
  readMfaState,
  removeMfa,
  replaceRecoveryCodes,
  saveConfirmed,
  saveSecret,
  type MfaOwner,
} from './mfa.store';
import { secretPurpose, verifyCode } from './verify-code';

type IdentityTx = Tx<IdentityTables>;

/** A user's own second factor: an authenticator app (RFC 6238) and recovery codes. Sign-in checks it in sign-in.service.ts. */
@Controller()
export class MfaService {
  constructor(
    private readonly db: Database<IdentityTables>,
    private readonly secrets: Secrets,
  ) {}

  @Handles(readMfa)
  async readMfa(ctx: Context): Promise<MfaState> {
    return this.db.asSystem('second factor of a user in any organization', async (tx) => readMfaState(tx, await getOwner(tx, ctx)));
  }

  @Handles(beginMfa)
  async beginMfa(ctx: Context, { body }: InputOf<typeof beginMfa>): Promise<OutputOf<typeof beginMfa>> {
    await verifyPassword(this.db, ctx, body.current_password);
    const secret = newSecret();
    const email = await this.ofCaller(ctx, async (tx, owner) => {
      if (await hasMfa(tx, owner.user_id)) throw new AppError('mfa.already_enabled');
      await saveSecret(tx, owner.user_id, this.secrets.seal(secretPurpose, secret));
      return owner.email;
    });
    return { secret, otpauth_uri: otpauthUri(secret, email) };
  }

  @Handles(confirmMfa)
  async confirmMfa(ctx: Context, { body }: InputOf<typeof confirmMfa>): Promise<OutputOf<typeof confirmMfa>> {
    const outcome = await this.ofCaller(ctx, async (tx, owner) => {
      const authenticator = await findAuthenticator(tx, owner.user_id);
      if (!authenticator) throw new AppError('mfa.not_begun');
      if (authenticator.confirmed_at !== null) throw new AppError('mfa.already_enabled');
      const verdict = await verifyCode(tx, this.secrets, owner.user_id, authenticator, body.code);
      if (verdict.is === 'blocked') return blockedProblem(verdict.seconds);
      if (verdict.is === 'wrong') return new AppError('mfa.code_invalid');
      await saveConfirmed(tx, owner.user_id);
      const recovery_codes = await replaceRecoveryCodes(tx, owner.user_id);
      await announceSwitch(tx, ctx, owner, 'enabled');
      return { recovery_codes };
    });
    // Outside the transaction, which must commit the count of wrong codes.
    if (outcome instanceof AppError) throw outcome;
    return outcome;
  }

  @Handles(disableMfa)
  async disableMfa(ctx: Context, { body }: InputOf<typeof disableMfa>): Promise<MfaState> {
    await verifyPassword(this.db, ctx, body.current_password);
    return this.ofCaller(ctx, async (tx, owner) => {
      if (owner.required) throw new AppError('mfa.required');
      if (await removeMfa(tx, owner.user_id)) await announceSwitch(tx, ctx, owner, 'disabled');
      return readMfaState(tx, owner);
    });
  }

  @Handles(renewRecoveryCodes)
  async renewRecoveryCodes(ctx: Context, { body }: InputOf<typeof renewRecoveryCodes>): Promise<OutputOf<typeof renewRecoveryCodes>> {
    await verifyPassword(this.db, ctx, body.current_password);
    return this.ofCaller(ctx, async (tx, { user_id, organization_id }) => {
      if (!(await hasMfa(tx, user_id))) throw new AppError('mfa.not_enabled');
      const recovery_codes = await replaceRecoveryCodes(tx, user_id);
      await recordAudit(tx, ctx, { type: 'mfa.recovery_codes_renewed', organization_id });
      return { recovery_codes };
    });
  }

  /** Runs changes to one user's second factor one at a time. */
  private ofCaller<T>(ctx: Context, work: (tx: IdentityTx, owner: MfaOwner) => Promise<T>): Promise<T> {
    return this.db.asSystem('second factor of a user in any organization', async (tx) => {
      await lockUser(tx, requireUser(ctx).user_id);
      return work(tx, await getOwner(tx, ctx));
    });
  }
}

async function getOwner(tx: IdentityTx, ctx: Context): Promise<MfaOwner> {
  const owner = await findMfaOwnerAcrossOrganizations(tx, requireUser(ctx).user_id);
  if (!owner) throw new AppError('session.expired');
  return owner;
}

/**
 * Notifies the user by email, updates the team page and renews access tokens, because they contain whether the user still has to set up
 * two-factor sign-in.
 */
async function announceSwitch(tx: IdentityTx, ctx: Context, owner: MfaOwner, to: 'enabled' | 'disabled'): Promise<void> {
  const { user_id, email, organization_id } = owner;
  const what = to === 'enabled' ? 'mfa_enabled' : 'mfa_disabled';
  const first_name = salutationName(owner.first_name);
  await recordAudit(tx, ctx, { type: `mfa.${to}`, organization_id });
  await bumpAccessVersion(tx, ctx, user_id);
  await emit(tx, { ...ctx, organization_id: null }, accountChanged, user_id, { user_id, email, first_name, what });
  if (organization_id === null) return;
  await emit(tx, { ...ctx, organization_id }, memberUpdated, user_id, { member: await getMember(tx, user_id) });
}
