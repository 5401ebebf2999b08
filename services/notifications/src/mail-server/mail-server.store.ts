import type { Tx } from '@tandem/db';
import { sql, type Selectable } from 'kysely';
import { claimSeconds } from '../email/email';
import type { NotificationsSchema } from '../schema';

export type MailServerTx = Tx<NotificationsSchema>;
export type MailServerRow = Selectable<NotificationsSchema['mail_servers']>;

export const findMailServer = (tx: MailServerTx, organization_id: string): Promise<MailServerRow | undefined> =>
  tx.selectFrom('mail_servers').selectAll().where('organization_id', '=', organization_id).executeTakeFirst();

/** Replaces the previous server. A tested server is a working one. */
export async function saveMailServer(
  tx: MailServerTx,
  row: Pick<MailServerRow, 'organization_id' | 'host' | 'port' | 'security' | 'username' | 'sealed_password' | 'from_address'>,
): Promise<MailServerRow> {
  const { organization_id: _, ...columns } = row;
  const working = { failing_since: null, last_error: null, retry_at: null, warned_hours: 0, tested_at: sql<string>`now()` };
  return tx
    .insertInto('mail_servers')
    .values({ ...row, ...working })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ ...columns, ...working }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const deleteMailServer = (tx: MailServerTx, organization_id: string): Promise<MailServerRow | undefined> =>
  tx.deleteFrom('mail_servers').where('organization_id', '=', organization_id).returningAll().executeTakeFirst();

/**
 * Whether an email may try the server now. While the server fails, one email tries at `retry_at`: many would occupy every connection until
 * they time out.
 */
export async function mayTryServer(tx: MailServerTx, organization_id: string): Promise<boolean> {
  const trial = await tx
    .updateTable('mail_servers')
    .set({ retry_at: sql<string>`now() + make_interval(secs => ${claimSeconds})` })
    .where('organization_id', '=', organization_id)
    .where('failing_since', 'is not', null)
    .where('retry_at', '<=', sql<string>`now()`)
    .returning('organization_id')
    .executeTakeFirst();
  return trial !== undefined;
}

/** Locked, so that concurrent failures are recorded one after another. Undefined if the server was replaced after `tested_at`. */
export const findForFailure = (tx: MailServerTx, organization_id: string, tested_at: string): Promise<MailServerRow | undefined> =>
  tx
    .selectFrom('mail_servers')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('tested_at', '=', tested_at)
    .forUpdate()
    .executeTakeFirst();

export async function recordFailure(
  tx: MailServerTx,
  organization_id: string,
  { error, retrySeconds, warned_hours }: { error: string; retrySeconds: number; warned_hours: number },
): Promise<void> {
  await tx
    .updateTable('mail_servers')
    .set({
      failing_since: sql<string>`coalesce(failing_since, now())`,
      last_error: error.slice(0, 1_000),
      retry_at: sql<string>`now() + make_interval(secs => ${retrySeconds})`,
      warned_hours,
    })
    .where('organization_id', '=', organization_id)
    .execute();
}

/** Undefined if the server was not failing. `has_warned`: admins were warned of this failure. */
export async function markWorking(
  tx: MailServerTx,
  organization_id: string,
): Promise<(MailServerRow & { has_warned: boolean }) | undefined> {
  const before = await tx
    .selectFrom('mail_servers')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('failing_since', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (!before) return undefined;
  const working = { failing_since: null, last_error: null, retry_at: null, warned_hours: 0 };
  await tx.updateTable('mail_servers').set(working).where('organization_id', '=', organization_id).execute();
  return { ...before, ...working, has_warned: before.warned_hours > 0 };
}

/** The email waits until the server may be tried again, and a little longer, so that not all emails try in the same moment. */
export async function postponeEmail(tx: MailServerTx, id: string, { error, seconds }: { error?: string; seconds?: number }): Promise<void> {
  const retryAt =
    seconds === undefined
      ? sql<string>`coalesce((select retry_at from mail_servers s where s.organization_id = emails.organization_id), now()) + interval '1 second'`
      : sql<string>`now() + make_interval(secs => ${seconds})`;
  await tx
    .updateTable('emails')
    .set({ state: 'pending', claimed_until: null, due_at: retryAt, ...(error === undefined ? {} : { last_error: error.slice(0, 500) }) })
    .where('id', '=', id)
    .execute();
}

/**
 * Emails that waited for a server are due now, and the sweep finds them. Skips those that another transaction claims, to avoid a deadlock. An
 * array is computed once: with statistics that are older than the backlog, `id in (select …)` would be computed for each email.
 */
export async function releaseEmails(tx: MailServerTx, organization_id: string): Promise<void> {
  await sql`
    update emails set due_at = now() where id = any(array(
      select id from emails
      where organization_id = ${organization_id} and state = 'pending' and attempts > 0 and due_at > now() for update skip locked))`.execute(
    tx,
  );
}
