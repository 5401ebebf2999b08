import type { ExportLine } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { sql, type SqlBool } from 'kysely';
import type { NotificationsSchema } from '../schema';

export type NotificationsTx = Tx<NotificationsSchema>;

// Each query names its columns, so that a new column with a secret does not get into an export.

export const findMailServers = (tx: NotificationsTx, organization_id: string): Promise<ExportLine<'mail_servers.jsonl'>[]> =>
  tx
    .selectFrom('mail_servers')
    .select(['host', 'port', 'security', 'username', 'from_address'])
    .where('organization_id', '=', organization_id)
    .execute();

export async function findSenderDomains(tx: NotificationsTx, organization_id: string): Promise<ExportLine<'sender_domains.jsonl'>[]> {
  const rows = await tx
    .selectFrom('sender_domains')
    .select(['domain', 'local_part', 'verified_at'])
    .where('organization_id', '=', organization_id)
    .execute();
  return rows.map(({ domain, local_part, verified_at }) => ({ domain, address: `${local_part}@${domain}`, verified_at }));
}

export const findPreferences = (tx: NotificationsTx, organization_id: string): Promise<ExportLine<'notification_preferences.jsonl'>[]> =>
  tx
    .selectFrom('notification_preferences')
    .select(['user_id', 'preferences'])
    .where('organization_id', '=', organization_id)
    .orderBy('user_id')
    .execute();

export async function findWebhookEndpoints(tx: NotificationsTx, organization_id: string): Promise<ExportLine<'webhook_endpoints.jsonl'>[]> {
  const rows = await tx
    .selectFrom('webhook_endpoints')
    .select([
      'id',
      'url',
      'description',
      'events',
      'condition',
      'payload',
      'version',
      'include_internal_notes',
      'state',
      'created_by',
      'created_at',
      'updated_at',
    ])
    .where('organization_id', '=', organization_id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows as ExportLine<'webhook_endpoints.jsonl'>[];
}

const emailPage = 200;

/** The emails to an address, by creation. `data` is what the template showed; sealed tokens are removed from it. */
export async function findEmailsTo(
  tx: NotificationsTx,
  organization_id: string,
  email: string,
  after: [created_at: string, id: string] | null,
): Promise<{ lines: ExportLine<'sent_emails.jsonl'>[]; next: [string, string] | null }> {
  const rows = await tx
    .selectFrom('emails')
    .select(['id', 'kind', 'to_address as to', 'ticket_id as ticket', 'state', 'created_at', 'sent_at'])
    .select(sql<unknown>`data - 'sealed_token'`.as('data'))
    .select(sql<string>`created_at::text`.as('position'))
    .where('organization_id', '=', organization_id)
    .where('to_address', '=', email)
    .$if(after !== null, (query) => query.where(sql<SqlBool>`(created_at, id) > (${after![0]}::timestamptz, ${after![1]}::uuid)`))
    .orderBy('created_at')
    .orderBy('id')
    .limit(emailPage)
    .execute();
  const last = rows.length === emailPage ? rows.at(-1)! : null;
  return { lines: rows.map(({ position: _position, ...line }) => line), next: last && [last.position, last.id] };
}
