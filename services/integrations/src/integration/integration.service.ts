import { Controller } from '@nestjs/common';
import {
  AppError,
  createIntegration,
  deleteIntegration,
  listIntegrations,
  orderIntegrations,
  readSyncLog,
  taskToolChanged,
  updateIntegration,
  ticketStatuses,
  type Context,
  type DataOf,
  type InputOf,
  type Integration,
  type OutputOf,
  type UpdateIntegration,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles, Jobs, storeResponse } from '@tandem/messaging';
import { findConnections } from '../connection/connection.store';
import { InteractiveToolClient } from '../tool/interactive-tool-client';
import type { ConnectionRow, IntegrationRow, IntegrationsSchema, IntegrationsTx } from '../schema';
import { getTaskTool } from '../tool/tool-client';
import { retryFailedLinks } from '../engine/retry-failed.store';
import { resendStatus } from '../push/resend-status.store';
import { resumedValues } from '../tool/list-health';
import { scheduleSync } from '../engine/schedule-sync';
import { changesOf } from './changes';
import { listAsChosen, type ChosenList } from './chosen-list';
import { noLinks } from './health';
import { maxIntegrations, listPath, settingsOf, publicIntegration } from './integration';
import {
  countIntegrationsForUpdate,
  countLinks,
  findConnectionForShare,
  findIntegration,
  findIntegrationForUpdate,
  findIntegrations,
  insertIntegration,
  pageOfSyncLog,
  removeIntegration,
  saveOrder,
  updateIntegration as saveIntegration,
} from './integration.store';
import { connectedTo } from './list.service';
import { checkStatuses } from './mapping';
import { unlinkAll, removeWebhooks } from './unlink';

/** Integrations: which list receives an organization's tickets, and with which settings. */
@Controller()
export class IntegrationService {
  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly jobs: Jobs,
    private readonly client: InteractiveToolClient,
  ) {}

  @Handles(listIntegrations)
  list(ctx: TenantContext): Promise<Integration[]> {
    const organization_id = ctx.organization_id;
    return this.db.forTenant(ctx, async (tx) => {
      const connections = new Map((await findConnections(tx, organization_id)).map((connection) => [connection.id, connection]));
      const integrations = await findIntegrations(tx, organization_id);
      const counts = await countLinks(tx, organization_id);
      return integrations.map((integration) => show(integration, connections.get(integration.connection_id)!, counts.get(integration.id)));
    });
  }

  /** The ids must be complete: if an integration was added or removed in the meantime, the order was chosen from an outdated list. */
  @Handles(orderIntegrations)
  async order(ctx: TenantContext, { body }: InputOf<typeof orderIntegrations>): Promise<Integration[]> {
    const organization_id = ctx.organization_id;
    await this.db.forTenant(ctx, async (tx) => {
      await countIntegrationsForUpdate(tx, organization_id);
      const before = await findIntegrations(tx, organization_id);
      const wanted = new Set(body.ids);
      const isComplete = wanted.size === body.ids.length && wanted.size === before.length && before.every(({ id }) => wanted.has(id));
      if (!isComplete) throw new AppError('integration.order_incomplete');
      await saveOrder(tx, organization_id, body.ids);
      const after = await findIntegrations(tx, organization_id);
      const [from, to] = [before, after].map((rows) => rows.map(({ list_name }) => list_name).join(', '));
      if (from === to) return;
      const about = { what: 'integration.updated' as const, target: 'Order of the integrations', changes: { order: { from, to } } };
      await emit(tx, ctx, taskToolChanged, body.ids[0]!, about);
    });
    return this.list(ctx);
  }

  @Handles(createIntegration)
  async create(ctx: TenantContext, { body }: InputOf<typeof createIntegration>): Promise<Integration> {
    const organization_id = ctx.organization_id;
    const connection = await this.db.forTenant(ctx, (tx) => connectedTo(tx, organization_id, body.provider));
    const chosen = await this.client.request(ctx, connection, (tool, call) => listAsChosen(tool, call, body));
    return this.db.forTenant(ctx, async (tx) => {
      // Checked again, because the calls to the tool took time.
      const latest = await findConnectionForShare(tx, organization_id, connection.id);
      if (!latest) throw new AppError('task_tool.not_connected');
      if ((await countIntegrationsForUpdate(tx, organization_id)) >= maxIntegrations) throw new AppError('integration.too_many');
      const row = await insertIntegration(tx, { ...rowOf(chosen, body), organization_id, id: newId(), connection_id: latest.id });
      if (!row) throw new AppError('integration.exists');
      // The worker creates the webhook when it first reconciles the list, which it does immediately.
      scheduleSync(this.jobs, tx, ctx, latest.id);
      await announce(tx, ctx, row, 'integration.created');
      return storeResponse(tx, show(row, latest, undefined));
    });
  }

  @Handles(updateIntegration)
  async update(ctx: TenantContext, { params, body }: InputOf<typeof updateIntegration>): Promise<Integration> {
    const wanted = await this.withKnownStatuses(ctx, params.id, body);
    return this.db.forTenant(ctx, async (tx) => {
      // The connection is locked first, in the same order as when disconnecting.
      const { connection } = await getBoth(tx, ctx, params.id);
      const before = await getIntegrationForUpdate(tx, ctx, params.id);
      const after = await saveIntegration(tx, before, { ...stored(wanted), ...activity(before, connection, body.is_active) });
      const statuses = ticketStatuses.filter((status) => before.status_mappings[status] !== after.status_mappings[status]);
      const resent = statuses.length === 0 ? 0 : await resendStatus(tx, { integration_id: after.id, statuses });
      if (after.is_active && !before.is_active) await retryFailedLinks(tx, ctx, { integration_id: after.id });
      if (after.is_active && (!before.is_active || resent > 0)) scheduleSync(this.jobs, tx, ctx, connection.id);
      const changes = changesOf(logged(before), logged(after));
      if (Object.keys(changes).length > 0) await announce(tx, ctx, after, 'integration.updated', changes);
      return show(after, connection, (await countLinks(tx, after.organization_id, after.id)).get(after.id));
    });
  }

  @Handles(deleteIntegration)
  async delete(ctx: TenantContext, { params }: InputOf<typeof deleteIntegration>): Promise<Record<string, never>> {
    const { integration, connection } = await this.db.forTenant(ctx, (tx) => getBoth(tx, ctx, params.id));
    await removeWebhooks(this.client, ctx, connection, [integration]);
    await this.db.forTenant(ctx, async (tx) => {
      const latest = await getIntegrationForUpdate(tx, ctx, params.id);
      await unlinkAll(tx, ctx, { integration_id: latest.id }, 'integration_removed');
      await removeIntegration(tx, latest);
      await announce(tx, ctx, latest, 'integration.deleted');
    });
    return {};
  }

  @Handles(readSyncLog)
  readLog(ctx: TenantContext, { params, query }: InputOf<typeof readSyncLog>): Promise<OutputOf<typeof readSyncLog>> {
    return this.db.forTenant(ctx, async (tx) => pageOfSyncLog(tx, await getIntegration(tx, ctx, params.id), query));
  }

  /**
   * The changes with each status spelled as in the list. A name that the list did not have when it was last read may be new, so the list is
   * then read again, if the tool answers.
   */
  private async withKnownStatuses(
    ctx: TenantContext,
    id: string,
    body: UpdateIntegration,
  ): Promise<UpdateIntegration & Pick<Partial<IntegrationRow>, 'statuses'>> {
    const { status_mappings } = body;
    if (status_mappings === undefined) return body;
    const { integration, connection } = await this.db.forTenant(ctx, (tx) => getBoth(tx, ctx, id));
    const known = checkStatuses(status_mappings, integration.statuses);
    if (known.problems.length === 0) return { ...body, status_mappings: known.mappings };
    const unknown = new AppError('integration.status_unknown', { fields: known.problems });
    const { statuses } = await this.client
      .request(ctx, connection, (tool, call) => tool.describeList(call, integration.list_id))
      .catch((error: unknown) => {
        throw error instanceof AppError ? unknown : error;
      });
    const again = checkStatuses(status_mappings, statuses);
    if (again.problems.length > 0) throw new AppError('integration.status_unknown', { fields: again.problems });
    return { ...body, status_mappings: again.mappings, statuses };
  }
}

const show = (integration: IntegrationRow, connection: ConnectionRow, counts = noLinks): Integration =>
  publicIntegration({ integration, connection, tool: getTaskTool(integration.provider).name, counts, now: new Date().toISOString() });

async function getIntegration(tx: IntegrationsTx, ctx: TenantContext, id: string): Promise<IntegrationRow> {
  const integration = await findIntegration(tx, ctx.organization_id, id);
  if (!integration) throw new AppError('integration.not_found');
  return integration;
}
/**
 * The integration with its connection, which is locked in share mode until the transaction ends. Removing a connection removes its
 * integrations too.
 */
async function getBoth(
  tx: IntegrationsTx,
  ctx: TenantContext,
  id: string,
): Promise<{ integration: IntegrationRow; connection: ConnectionRow }> {
  const integration = await getIntegration(tx, ctx, id);
  const connection = await findConnectionForShare(tx, integration.organization_id, integration.connection_id);
  if (!connection) throw new AppError('integration.not_found');
  return { integration, connection };
}
async function getIntegrationForUpdate(tx: IntegrationsTx, ctx: TenantContext, id: string): Promise<IntegrationRow> {
  const integration = await findIntegrationForUpdate(tx, ctx.organization_id, id);
  if (!integration) throw new AppError('integration.not_found');
  return integration;
}

const rowOf = (
  { field_mappings, status_mappings, statuses, list_fields, ...place }: ChosenList,
  body: InputOf<typeof createIntegration>['body'],
) => ({
  ...place,
  ...stored({ field_mappings, status_mappings, statuses, list_fields, rules: body.rules, closed_meanings: body.closed_meanings ?? {} }),
  comment_sync: body.comment_sync,
  conflict_rule: body.conflict_rule,
  on_task_finished: body.on_task_finished,
  finished_reply: body.finished_reply,
});

const jsonColumns = ['field_mappings', 'status_mappings', 'closed_meanings', 'rules', 'statuses', 'list_fields'] as const;
type JsonColumn = (typeof jsonColumns)[number];

/** The settings in the form of the columns: objects as JSON text, and without `is_active`, which is not a setting. */
function stored<T extends Partial<Record<JsonColumn, unknown>>>(
  settings: T & { is_active?: unknown },
): Omit<T, JsonColumn | 'is_active'> & { [C in JsonColumn & keyof T]: string } {
  const { is_active: _, ...rest } = settings;
  const texts = jsonColumns.filter((column) => settings[column] !== undefined).map((column) => [column, JSON.stringify(settings[column])]);
  return { ...rest, ...Object.fromEntries(texts) } as never;
}

/** A manual pause is recorded as such. Resuming reads the list immediately, to find all changes made in the meantime. */
function activity(before: IntegrationRow, connection: ConnectionRow, is_active: boolean | undefined) {
  if (is_active === undefined || is_active === before.is_active) return {};
  if (!is_active) return { is_active, pause_reason: 'by_hand' as const };
  if (connection.state === 'broken') throw new AppError('task_tool.broken');
  return { is_active, ...resumedValues, next_check_at: new Date().toISOString() };
}

const logged = (row: IntegrationRow) => ({ ...settingsOf(row), is_active: row.is_active });

const announce = (
  tx: IntegrationsTx,
  ctx: Context,
  row: IntegrationRow,
  what: DataOf<typeof taskToolChanged>['what'],
  changes: DataOf<typeof taskToolChanged>['changes'] = {},
): Promise<void> => emit(tx, ctx, taskToolChanged, row.id, { what, target: listPath(getTaskTool(row.provider), row), changes });
