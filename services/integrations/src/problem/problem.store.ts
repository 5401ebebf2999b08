import type { PageQuery, SyncProblem, SyncProblemKind } from '@tandem/contracts';
import { paginate } from '@tandem/db';
import { sql, type SqlBool } from 'kysely';
import type { IntegrationRow, IntegrationsTx, LinkRow } from '../schema';
import { isSyncField } from '../provider/field-names';
import { differences } from '../merge/refusals';
import { hasRefusedField } from '../engine/sync-link.store';
import { updateLinks } from '../engine/link-state';

type IntegrationKey = Pick<IntegrationRow, 'organization_id' | 'id'>;

const differs = sql<SqlBool>`(links.state = 'linked' and ${hasRefusedField})`;

/** The latest ticket first: ticket ids ascend with time. */
export async function pageOfProblems(
  tx: IntegrationsTx,
  { organization_id, id }: IntegrationKey,
  { kind, ...page }: PageQuery & { kind?: SyncProblemKind | undefined },
) {
  let found = tx
    .selectFrom('links')
    .leftJoin('ticket_copies as copy', (join) =>
      join.onRef('copy.organization_id', '=', 'links.organization_id').onRef('copy.ticket_id', '=', 'links.ticket_id'),
    )
    .select(['links.ticket_id', 'links.state', 'links.problem', 'links.shadow', 'links.task_url', 'links.synced_at'])
    .select(['copy.ticket_number', 'copy.subject'])
    .where('links.organization_id', '=', organization_id)
    .where('links.integration_id', '=', id);
  if (kind === undefined) found = found.where((eb) => eb.or([eb('links.state', 'in', ['failed', 'stopped']), differs]));
  else found = kind === 'differs' ? found.where(differs) : found.where('links.state', '=', kind);
  const { items, pagination } = await paginate(tx, found, { ...page, orderBy: ['links.ticket_id'] });
  return { items: items.map(toProblem), pagination };
}

type Found = Pick<LinkRow, 'ticket_id' | 'state' | 'problem' | 'shadow' | 'task_url' | 'synced_at'> & {
  ticket_number: string | null;
  subject: string | null;
};
function toProblem({ state, problem, shadow, ...row }: Found): SyncProblem {
  const kind: SyncProblemKind = state === 'failed' || state === 'stopped' ? state : 'differs';
  const refused = kind === 'differs' ? differences(shadow) : [];
  const reasons = [...new Set(refused.map(({ reason }) => reason))].join('. ');
  return { ...row, kind, fields: refused.map(({ field }) => field).filter(isSyncField), reason: reasons || (problem ?? 'The sync failed') };
}

/** Makes every refused field of an integration due. Returns the number of tickets. */
export async function retryRefused(tx: IntegrationsTx, { organization_id, id }: IntegrationKey): Promise<number> {
  const { numUpdatedRows } = await updateLinks(tx)
    .set({
      shadow: sql<string>`(
        select jsonb_object_agg(key, case when value ? 'refused' then jsonb_set(value, '{refused,retry_at}', to_jsonb('1970-01-01T00:00:00.000Z'::text)) else value end)
        from jsonb_each(links.shadow)
      )`,
      next_sync_at: sql<string>`now()`,
      urgency: sql<2>`least(urgency, 2)`,
    })
    .where('organization_id', '=', organization_id)
    .where('integration_id', '=', id)
    .where(differs)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Makes the list of a paused integration due to be requested now. */
export async function probeNow(tx: IntegrationsTx, { organization_id, id }: IntegrationKey): Promise<void> {
  await tx
    .updateTable('integrations')
    .set({ next_check_at: sql<string>`now()` })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}
