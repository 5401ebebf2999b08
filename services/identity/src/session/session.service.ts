import {
  AppError,
  extendSession,
  readSession,
  refreshSession,
  signOut,
  type Context,
  type InputOf,
  type IssuedSession,
  type OutputOf,
  type Session,
} from '@tandem/contracts';
import { Database, newId, type Tx } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { hashToken, newToken } from '@tandem/platform';
import { Controller } from '@nestjs/common';
import { lockUser, bumpAccessVersion } from '../access/access.store';
import { recordAudit } from '../audit/audit.store';
import type { IdentityTables } from '../schema';
import { requireUser } from '../require-user';
import { absoluteExpiry, afterActivity, concurrencyEvents, idleExpiry, isAlive, decideRefresh, extendsDeadline } from './session';
import {
  endSession,
  findDemoEndAcrossOrganizations,
  findLiveSessions,
  findOrganizationOfUserAcrossOrganizations,
  findSessionAcrossOrganizations,
  findSessionAcrossOrganizationsForUpdate,
  findSessionOfTokenAcrossOrganizationsForUpdate,
  getDatabaseTime,
  insertSession,
  issuedSession,
  rotateToken,
  saveActivity,
  sessionView,
  type SessionRow,
} from './session.store';

type IdentityTx = Tx<IdentityTables>;

/** Refreshes, extends and ends sessions. The refresh token is stored in a cookie by the gateway; here, only its hash is. */
@Controller()
export class SessionService {
  constructor(private readonly db: Database<IdentityTables>) {}

  @Handles(refreshSession)
  async refreshSession(ctx: Context, { body }: InputOf<typeof refreshSession>): Promise<OutputOf<typeof refreshSession>> {
    const outcome = await this.db.asSystem('refresh: the token identifies a session, not an organization', (tx) =>
      refresh(tx, body.refresh_token, body.idle_seconds),
    );
    if (outcome.is === 'issued') return outcome.issued;
    // In a separate transaction, which commits although the request fails, and which locks the user before the session.
    if (outcome.is === 'reused') {
      await this.db.asSystem('reused token: ends its session in any organization', (tx) => endReused(tx, ctx, outcome.row));
    }
    throw new AppError('session.expired');
  }

  /** Every gateway rejects this session's access tokens as soon as it receives the sign-out; the sessions of other devices stay valid. */
  @Handles(signOut)
  async signOut(ctx: Context): Promise<OutputOf<typeof signOut>> {
    const { session_id, user_id } = requireUser(ctx);
    await this.db.asSystem('sign-out of a user in any organization', async (tx) => {
      if (!(await endSession(tx, { session_id, user_id }, 'signed_out'))) return;
      const organization_id = await findOrganizationOfUserAcrossOrganizations(tx, user_id);
      await recordAudit(tx, ctx, { type: 'session.signed_out', organization_id });
    });
    return {};
  }

  /** Does not count as activity: an open page polls automatically and must not keep its session alive. */
  @Handles(readSession)
  async readSession(ctx: Context): Promise<Session> {
    return this.db.asSystem('read a session before its organization is known', async (tx) =>
      sessionView(ownSession(ctx, await findSessionAcrossOrganizations(tx, requireUser(ctx).session_id))),
    );
  }

  @Handles(extendSession)
  async extendSession(ctx: Context): Promise<IssuedSession> {
    return this.db.asSystem('extend a session of a user in any organization', async (tx) => {
      const row = ownSession(ctx, await findSessionAcrossOrganizationsForUpdate(tx, requireUser(ctx).session_id));
      const active = afterActivity(row, row.now);
      await saveActivity(tx, row.session_id, active);
      return issuedSession({ ...row, ...active }, null);
    });
  }
}

const isUsable = (row: SessionRow): boolean => isAlive(row, row.now) && row.is_active !== false;

function ownSession(ctx: Context, row: SessionRow | undefined): SessionRow {
  if (!row || row.user_id !== requireUser(ctx).user_id || !isUsable(row)) throw new AppError('session.expired');
  return row;
}

/**
 * Opens a session for a user who has proved their identity, and logs the sign-in. Always creates a new session id, so that session
 * fixation is impossible. Runs in `asSystem`, and in `forTenant` of the user's organization. Throws `account.inactive` for a deactivated
 * member, which rolls back the transaction.
 *
 * @param how `idp`: the issuer of the OpenID provider that authenticated the user; `secondFactor`: a code of the user's authenticator was
 * checked here
 */
export async function issueSession(
  tx: IdentityTx,
  ctx: Context,
  user_id: string,
  how: { idp?: string; secondFactor?: boolean } = {},
): Promise<IssuedSession> {
  // Sign-ins of one user run one at a time, so that each sees the sessions of those before it.
  await lockUser(tx, user_id);
  const others = await findLiveSessions(tx, user_id);
  const refresh_token = newToken();
  const row = await openSession(tx, ctx, { user_id, has_second_factor: how.secondFactor === true }, hashToken(refresh_token));
  if (row.is_active === false) throw new AppError('account.inactive');
  const { organization_id } = row;
  await recordAudit(tx, ctx, { type: 'sign_in.succeeded', organization_id, actor_id: user_id, target: how.idp ?? null });
  for (const type of concurrencyEvents(row, others)) await recordAudit(tx, ctx, { type, organization_id, actor_id: user_id });
  return issuedSession(row, refresh_token);
}

async function openSession(
  tx: IdentityTx,
  ctx: Context,
  { user_id, has_second_factor }: { user_id: string; has_second_factor: boolean },
  token_hash: string,
): Promise<SessionRow & { ip: string | null; user_agent: string | null; created_at: string }> {
  const created_at = await getDatabaseTime(tx);
  const absolute_expires_at = absoluteExpiry(created_at, await findDemoEndAcrossOrganizations(tx, user_id));
  // The job deletes the organization a moment later.
  if (Date.parse(absolute_expires_at) <= Date.parse(created_at)) throw new AppError('account.inactive');
  const idle_expires_at = idleExpiry(created_at, absolute_expires_at);
  const { ip = null, user_agent = null } = ctx.client ?? {};
  const id = newId();
  await insertSession(tx, { id, user_id, has_second_factor, ip, user_agent, created_at, idle_expires_at, absolute_expires_at }, token_hash);
  const row = await findSessionAcrossOrganizations(tx, id);
  if (!row) throw new Error('A session that was just written cannot be read');
  return { ...row, ip, user_agent, created_at };
}

type Refreshed = { is: 'issued'; issued: IssuedSession } | { is: 'reused'; row: SessionRow } | { is: 'expired' };

async function refresh(tx: IdentityTx, token: string, idle_seconds: number): Promise<Refreshed> {
  const found = await findSessionOfTokenAcrossOrganizationsForUpdate(tx, hashToken(token));
  if (!found || found.is_active === false) return { is: 'expired' };
  const { sequence, ...row } = found;
  const verdict = decideRefresh(row, sequence, row.now);
  if (verdict === 'expired') return { is: 'expired' };
  if (verdict === 'reused') return { is: 'reused', row };
  const active = afterActivity(row, row.now, idle_seconds);
  const refresh_token = verdict === 'rotate' ? newToken() : null;
  if (refresh_token !== null) await rotateToken(tx, row, hashToken(refresh_token), row.now);
  if (refresh_token !== null || extendsDeadline(row, active.idle_expires_at)) await saveActivity(tx, row.session_id, active);
  return { is: 'issued', issued: issuedSession({ ...row, ...active }, refresh_token) };
}

/**
 * Ends a session whose refresh token was reused: thief and owner both have to sign in again. The log entry has no actor, because the two
 * cannot be distinguished.
 */
async function endReused(tx: IdentityTx, ctx: Context, row: SessionRow): Promise<void> {
  await lockUser(tx, row.user_id);
  if (!(await endSession(tx, row, 'token_reused'))) return;
  await bumpAccessVersion(tx, ctx, row.user_id);
  await recordAudit(tx, ctx, { type: 'session.token_reused', organization_id: row.organization_id, target: row.email });
}
