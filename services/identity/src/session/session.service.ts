import {
  AppError,
  readSession,
  refreshSession,
  signIn,
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
import { findAccountByEmail } from '../account/account.store';
import { passwordMatches } from '../account/password';
import type { IdentityTables } from '../schema';
import { signedIn } from '../signed-in';
import { absoluteExpiry, idleExpiry, isAlive, judgeRefresh, mustSlide } from './session';
import {
  deletePastSessions,
  endSession,
  findSessionAcrossOrganizations,
  findSessionOfTokenAcrossOrganizationsForUpdate,
  getDatabaseTime,
  insertSession,
  issuedSession,
  rotateToken,
  sessionView,
  slideSession,
  type SessionRow,
} from './session.store';

/** Signing in and out, and how long that lasts. The gateway keeps the refresh token in a cookie; only its hash stays here. */
@Controller()
export class SessionService {
  constructor(private readonly db: Database<IdentityTables>) {}

  @Handles(signIn)
  async signIn(ctx: Context, { body }: InputOf<typeof signIn>): Promise<IssuedSession> {
    const account = await this.db.asSystem('sign-in: an address names a person, not an organization', (tx) =>
      findAccountByEmail(tx, body.email),
    );
    const matches = await passwordMatches(account?.password_hash, body.password);
    if (!account || !matches) throw new AppError('credentials.invalid');
    // From here on the caller has shown the password: what follows is no news for a stranger.
    if (account.email_confirmed_at === null) throw new AppError('email.not_confirmed');
    return this.db.asSystem('sign-in: a session belongs to a person', (tx) => issueSession(tx, ctx, account.id));
  }

  @Handles(refreshSession)
  async refreshSession(_ctx: Context, { body }: InputOf<typeof refreshSession>): Promise<OutputOf<typeof refreshSession>> {
    const issued = await this.db.asSystem('refresh: a token names a session, not an organization', (tx) => refresh(tx, body.refresh_token));
    // Outside the transaction, which must commit that the family has ended.
    if (!issued) throw new AppError('session.expired');
    return issued;
  }

  @Handles(signOut)
  async signOut(ctx: Context): Promise<OutputOf<typeof signOut>> {
    await this.db.asSystem('sign-out: a session belongs to a person', (tx) => endSession(tx, signedIn(ctx), 'signed_out'));
    return {};
  }

  @Handles(readSession)
  async readSession(ctx: Context): Promise<Session> {
    const { session_id, user_id } = signedIn(ctx);
    return this.db.asSystem('a session is read before its organization is known', async (tx) => {
      const row = await findSessionAcrossOrganizations(tx, session_id);
      if (!row || row.user_id !== user_id || !mayGoOn(row)) throw new AppError('session.expired');
      return sessionView(mustSlide(row, row.now) ? await slide(tx, row) : row);
    });
  }
}

const mayGoOn = (row: SessionRow): boolean => isAlive(row, row.now) && row.is_active !== false;

/**
 * Opens a session for a person who has proved to be that person, whichever way. Runs in `asSystem`. Throws `account.inactive` for a
 * deactivated member, and then leaves nothing.
 */
export async function issueSession(tx: Tx<IdentityTables>, ctx: Context, user_id: string): Promise<IssuedSession> {
  await deletePastSessions(tx, user_id);
  const refresh_token = newToken();
  const row = await openSession(tx, ctx, user_id, hashToken(refresh_token));
  if (row.is_active === false) throw new AppError('account.inactive');
  return issuedSession(row, refresh_token);
}

async function openSession(tx: Tx<IdentityTables>, ctx: Context, user_id: string, token_hash: string): Promise<SessionRow> {
  const created_at = await getDatabaseTime(tx);
  const absolute_expires_at = absoluteExpiry(created_at);
  const idle_expires_at = idleExpiry(created_at, absolute_expires_at);
  const { ip = null, user_agent = null } = ctx.client ?? {};
  const id = newId();
  await insertSession(tx, { id, user_id, ip, user_agent, created_at, idle_expires_at, absolute_expires_at }, token_hash);
  const row = await findSessionAcrossOrganizations(tx, id);
  if (!row) throw new Error('A session that was just written cannot be read');
  return row;
}

async function slide(tx: Tx<IdentityTables>, row: SessionRow): Promise<SessionRow> {
  const idle_expires_at = idleExpiry(row.now, row.absolute_expires_at);
  await slideSession(tx, row.session_id, row.now, idle_expires_at);
  return { ...row, last_seen_at: row.now, idle_expires_at };
}

/** Undefined when the token is not, or no longer, worth a session. */
async function refresh(tx: Tx<IdentityTables>, token: string): Promise<IssuedSession | undefined> {
  const found = await findSessionOfTokenAcrossOrganizationsForUpdate(tx, hashToken(token));
  if (!found || found.is_active === false) return undefined;
  const { sequence, ...row } = found;
  const verdict = judgeRefresh(row, sequence, row.now);
  if (verdict === 'expired') return undefined;
  if (verdict === 'reused') {
    await endSession(tx, row, 'token_reused');
    return undefined;
  }
  if (verdict === 'keep') return issuedSession(row, null);
  const refresh_token = newToken();
  await rotateToken(tx, row, hashToken(refresh_token), row.now);
  return issuedSession(await slide(tx, row), refresh_token);
}
