import type { ExportLine } from '@tandem/contracts';
import { sql, type SqlBool } from 'kysely';
import type { IntegrationsTx } from '../schema';

// Each query names its columns, so that a new column with a secret does not get into an export.

export const findConnections = (tx: IntegrationsTx, organization_id: string): Promise<ExportLine<'connections.jsonl'>[]> =>
  tx
    .selectFrom('connections')
    .select(['id', 'provider', 'state', 'kind', 'account_name', 'connected_by', 'connected_at'])
    .where('organization_id', '=', organization_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const findIntegrations = (tx: IntegrationsTx, organization_id: string): Promise<ExportLine<'integrations.jsonl'>[]> =>
  tx
    .selectFrom('integrations')
    .select([
      'id',
      'provider',
      'workspace_id',
      'workspace_name',
      'space_id',
      'space_name',
      'list_id',
      'list_name',
      'field_mappings',
      'status_mappings',
      'rules',
      'comment_sync',
      'conflict_rule',
      'on_task_finished',
      'closed_meanings',
      'finished_reply',
      'is_active',
      'created_at',
    ])
    .where('organization_id', '=', organization_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

const linkPage = 1_000;

/** In the order of the primary key. */
export async function findLinks(
  tx: IntegrationsTx,
  organization_id: string,
  after: [ticket_id: string, integration_id: string] | null,
): Promise<{ lines: ExportLine<'links.jsonl'>[]; next: [string, string] | null }> {
  const rows = await tx
    .selectFrom('links')
    .select(['ticket_id', 'integration_id', 'state', 'task_id', 'task_url', 'created_at'])
    .where('organization_id', '=', organization_id)
    .$if(after !== null, (query) => query.where(sql<SqlBool>`(ticket_id, integration_id) > (${after![0]}::uuid, ${after![1]}::uuid)`))
    .orderBy('ticket_id')
    .orderBy('integration_id')
    .limit(linkPage)
    .execute();
  const last = rows.length === linkPage ? rows.at(-1)! : null;
  return {
    lines: rows.map(({ ticket_id, ...link }) => ({ ticket: ticket_id, ...link })),
    next: last && [last.ticket_id, last.integration_id],
  };
}

/** Of the customer's tickets, whose `description` can have 100,000 characters. */
const copyPage = 50;

export async function findTaskCopies(
  tx: IntegrationsTx,
  organization_id: string,
  email: string,
  after: string | null,
): Promise<{ lines: ExportLine<'task_copies.jsonl'>[]; next: string | null }> {
  const lines = await tx
    .selectFrom('ticket_copies')
    .select(['ticket_id as ticket', 'subject', 'description', 'customer_name', 'customer_email'])
    .where('organization_id', '=', organization_id)
    .where('customer_email', '=', email)
    .$if(after !== null, (query) => query.where('ticket_id', '>', after!))
    .orderBy('ticket_id')
    .limit(copyPage)
    .execute();
  return { lines, next: lines.length === copyPage ? lines.at(-1)!.ticket : null };
}
