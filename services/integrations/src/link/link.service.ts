import { setTimeout as sleep } from 'node:timers/promises';
import { Controller } from '@nestjs/common';
import {
  AppError,
  linkTicketTask,
  previewTaskLink,
  readTicketTask,
  searchTasks,
  syncTicketTask,
  taskSynced,
  taskUnlinked,
  unlinkTicketTask,
  type Context,
  type InputOf,
  type OutputOf,
  type TaskChoice,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, Handles, Jobs, storeResponse } from '@tandem/messaging';
import { sql } from 'kysely';
import { InteractiveToolClient } from '../tool/interactive-tool-client';
import type { TaskSnapshot } from '../provider/task-tool';
import type { IntegrationRow, IntegrationsSchema, IntegrationsTx, LinkRow, TicketCopy } from '../schema';
import { retryPending } from '../merge/pending-changes';
import { getTaskTool } from '../tool/tool-client';
import { retryNow } from '../merge/refusals';
import { countTicketsOfTask, countTicketsOfTasks, promoteNext, markPrimaryDue } from '../engine/sharing.store';
import { resendStatus } from '../push/resend-status.store';
import { logSync } from '../engine/sync-log.store';
import { scheduleSync } from '../engine/schedule-sync';
import { copyIntervalMs } from '../ticket-copy/ticket-copy.consumer';
import { LinkExistingTask } from './link-existing-task';
import { differencesOf } from './differences';
import {
  isExportRunning,
  findConnection,
  findCopy,
  findIntegration,
  findLink,
  findLinkChoices,
  findLinkForUpdate,
  readTask,
  startLink,
} from './link.store';
import { applyEvent, isEnded } from '../engine/link-state';
import { commentsUnread, taskUnread, writesCleared } from '../engine/link-values';

/** Retry time while the tickets of a newly connected organization are still being exported. */
const exportRetrySeconds = 2;

/** Manual operations on the task of a ticket. */
@Controller()
export class LinkService {
  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly jobs: Jobs,
    private readonly existing: LinkExistingTask,
    private readonly client: InteractiveToolClient,
  ) {}

  @Handles(readTicketTask)
  read(ctx: Context, { params }: InputOf<typeof readTicketTask>) {
    return this.db.readTenant(ctx, async (tx) => {
      const [task, integrations] = await Promise.all([readTask(tx, params.id), findLinkChoices(tx)]);
      return { task, integrations };
    });
  }

  /** The text search covers one connected list only: the connection may see much more than its admins chose. */
  @Handles(searchTasks)
  async search(ctx: Context, { params, query }: InputOf<typeof searchTasks>): Promise<OutputOf<typeof searchTasks>> {
    await this.untilCopied(ctx, params.id);
    const { connection, integration } = await this.db.forTenant(ctx, (tx) => this.prepareList(tx, params.id, query.integration_id));
    const tasks = await this.client.request(ctx, connection, (tool, call) => tool.searchTasks(call, integration.list_id, query.words));
    return this.db.forTenant(ctx, async (tx) => {
      const linked = await countTicketsOfTasks(
        tx,
        connection,
        tasks.map(({ id }) => id),
      );
      return tasks.filter(({ archived }) => !archived).map((task) => choiceOf(task, linked.get(task.id) ?? 0));
    });
  }

  @Handles(previewTaskLink)
  async preview(ctx: Context, { params, query }: InputOf<typeof previewTaskLink>): Promise<OutputOf<typeof previewTaskLink>> {
    await this.untilCopied(ctx, params.id);
    const chosen = await this.db.forTenant(ctx, (tx) => this.prepare(tx, params.id, query.integration_id));
    const task = await this.existing.readTask(ctx, chosen.connection, query.task, chosen.integration);
    return this.db.forTenant(ctx, async (tx) => {
      const { copy, connection } = await this.prepare(tx, params.id, query.integration_id);
      const integration = await this.existing.integrationOf(tx, connection, task);
      const tool = getTaskTool(connection.provider);
      const tickets = await countTicketsOfTask(tx, { ...connection, connection_id: connection.id, task_id: task.id });
      const place = { integration_id: integration.id, tool_name: tool.name, list_name: integration.list_name };
      const pair = this.existing.pairOf(tool, { copy, integration, task }, tickets);
      return { task: { ...choiceOf(task, tickets), ...place }, differences: tickets > 0 ? [] : differencesOf(pair) };
    });
  }

  /**
   * Without `task`, a new one is created in the background. An existing task is read first, so an error is returned immediately. It must be
   * in a list that the organization's admins chose.
   */
  @Handles(linkTicketTask)
  async link(ctx: TenantContext, { params, body }: InputOf<typeof linkTicketTask>) {
    await this.untilCopied(ctx, params.id);
    const chosen = await this.db.forTenant(ctx, (tx) => this.prepare(tx, params.id, body.integration_id));
    const task = body.task === undefined ? undefined : await this.existing.readTask(ctx, chosen.connection, body.task, chosen.integration);
    return this.db.forTenant(ctx, async (tx) => {
      const { copy, integration, connection } = await this.prepare(tx, params.id, body.integration_id);
      if (task) {
        const owner = await this.existing.integrationOf(tx, connection, task);
        await this.existing.link(tx, ctx, { copy, integration: owner, task }, body.winner);
      } else await this.requestTask(tx, ctx, copy, integration);
      scheduleSync(this.jobs, tx, ctx, connection.id);
      return storeResponse(tx, (await readTask(tx, params.id))!);
    });
  }

  @Handles(unlinkTicketTask)
  async unlink(ctx: TenantContext, { params }: InputOf<typeof unlinkTicketTask>) {
    await this.db.forTenant(ctx, async (tx) => {
      const link = await this.lockLink(tx, params.id, 'list');
      if (!link || link.state === 'unlinked') throw new AppError('task.not_linked');
      const { ticket_id, task_id } = link;
      await applyEvent(tx, link, 'unlinked', {
        shadow: '{}',
        task: null,
        next_sync_at: null,
        pending_comment_ids: [],
        problem: null,
        finished_at: null,
        create_started_at: null,
      });
      if (link.is_primary) await promoteNext(tx, link, link);
      scheduleSync(this.jobs, tx, ctx, link.connection_id);
      await tx.deleteFrom('comment_links').where('ticket_id', '=', ticket_id).where('state', '=', 'pending').execute();
      const copy = await findCopy(tx, ticket_id);
      const ticket = { ticket_id, ticket_number: copy?.ticket_number ?? null };
      await logSync(
        tx,
        { organization_id: link.organization_id, id: link.integration_id },
        { level: 'info', ticket, message: 'The ticket was unlinked from its task' },
      );
      await emit(tx, ctx, taskUnlinked, ticket_id, { ticket_id, task_id, reason: 'by_hand' });
    });
    return {};
  }

  /** Syncs both sides with the highest urgency: the task is read regardless of webhooks, and a failed or stopped link is retried. */
  @Handles(syncTicketTask)
  sync(ctx: TenantContext, { params }: InputOf<typeof syncTicketTask>) {
    return this.db.forTenant(ctx, async (tx) => {
      const link = await this.lockLink(tx, params.id, 'read');
      if (!link || isEnded(link.state)) throw new AppError('task.not_linked');
      const integration = await findIntegration(tx, link.integration_id);
      if (!integration?.is_active) throw new AppError('integration.paused');
      const { ticket_id, task_id } = link;
      const now = new Date().toISOString();
      await applyEvent(tx, link, task_id === null ? 'creation_retried' : 'sync_retried', {
        shadow: JSON.stringify(retryNow(retryPending(link.shadow, now, 'all'), now)),
        next_sync_at: sql<string>`now()`,
        urgency: 0,
        attempts: 0,
        problem: null,
        ...writesCleared,
        ...(task_id !== null && link.is_primary && { ...taskUnread, ...commentsUnread }),
      });
      await resendStatus(tx, { ticket_id });
      await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
      scheduleSync(this.jobs, tx, ctx, link.connection_id);
      return (await readTask(tx, ticket_id))!;
    });
  }

  /** The ticket's link, locked. If it shares its task, the primary link is locked and made due first, in the same order as everywhere. */
  private async lockLink(tx: IntegrationsTx, ticket_id: string, to: 'list' | 'read'): Promise<LinkRow | undefined> {
    const seen = await findLink(tx, ticket_id);
    if (seen?.task_id && !seen.is_primary && !isEnded(seen.state)) await markPrimaryDue(tx, seen, to);
    return findLinkForUpdate(tx, ticket_id);
  }

  /** A program may link a ticket that it has just created: waits for its copy, but not long, because the ticket may not exist. */
  private async untilCopied(ctx: Context, ticket_id: string): Promise<void> {
    const until = Date.now() + 4 * copyIntervalMs;
    while (!(await this.db.readTenant(ctx, (tx) => findCopy(tx, ticket_id))) && Date.now() < until) await sleep(50);
  }

  /** Checks everything that may prevent a link; called before the request to the tool and once more after it. */
  private async prepare(tx: IntegrationsTx, ticket_id: string, integration_id: string) {
    const chosen = await this.prepareList(tx, ticket_id, integration_id);
    const link = await findLinkForUpdate(tx, ticket_id);
    if (link && !isEnded(link.state)) throw new AppError('task.already_linked');
    return chosen;
  }

  private async prepareList(tx: IntegrationsTx, ticket_id: string, integration_id: string) {
    const copy = await findCopy(tx, ticket_id);
    if (!copy && (await isExportRunning(tx))) throw new AppError('service.unavailable', { retryAfterSeconds: exportRetrySeconds });
    if (!copy) throw new AppError('ticket.not_found');
    const integration = await findIntegration(tx, integration_id);
    const connection = integration && (await findConnection(tx, integration.connection_id));
    if (!integration || !connection) throw new AppError('integration.not_found');
    if (connection.state === 'broken' || connection.sealed_token === null) throw new AppError('task_tool.broken');
    if (!integration.is_active) throw new AppError('integration.paused');
    return { copy, integration, connection };
  }

  private async requestTask(
    tx: IntegrationsTx,
    ctx: Context,
    { organization_id, ticket_id }: TicketCopy,
    { id, connection_id }: IntegrationRow,
  ) {
    await startLink(tx, { organization_id, ticket_id }, 'creation_requested', { integration_id: id, connection_id });
    await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
  }
}

const choiceOf = ({ id, title, url, status }: TaskSnapshot, tickets: number): TaskChoice => ({ id, title, url, status, tickets });
