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
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, Handles, Jobs } from '@tandem/messaging';
import { sql } from 'kysely';
import { ToolTalk } from '../connection/tool-talk';
import type { TaskSnapshot } from '../provider/task-tool';
import type { IntegrationRow, IntegrationsSchema, IntegrationsTx, LinkRow, TicketCopy } from '../schema';
import { askAgain } from '../sync/awaiting';
import { toolOf } from '../sync/caller';
import { retryNow } from '../sync/refusals';
import { countTicketsOfTask, countTicketsOfTasks, promoteNext, wakePrimary } from '../sync/sharing.store';
import { sendStatusAnew } from '../sync/status-anew.store';
import { note } from '../sync/sync-log.store';
import { wakeConnection } from '../sync/wake';
import { someComment } from '../webhook/webhook';
import { Adoption } from './adoption';
import { differencesOf } from './differences';
import {
  areTicketsComing,
  findConnection,
  findCopy,
  findIntegration,
  findLink,
  findLinkChoices,
  findLinkForUpdate,
  readTask,
  writeLink,
} from './link.store';

/** Retry time while the tickets of a newly connected organization are still being exported. */
const untilToldSeconds = 2;

/** Manual operations on the task of a ticket. */
@Controller()
export class LinkService {
  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly jobs: Jobs,
    private readonly adoption: Adoption,
    private readonly talk: ToolTalk,
  ) {}

  @Handles(readTicketTask)
  read(ctx: Context, { params }: InputOf<typeof readTicketTask>) {
    return this.db.forTenant(ctx, async (tx) => ({ task: await readTask(tx, params.id), integrations: await findLinkChoices(tx) }));
  }

  /** The text search covers one connected list only: the connection may see much more than its admins chose. */
  @Handles(searchTasks)
  async search(ctx: Context, { params, query }: InputOf<typeof searchTasks>): Promise<OutputOf<typeof searchTasks>> {
    const { connection, integration } = await this.db.forTenant(ctx, (tx) => this.prepareList(tx, params.id, query.integration_id));
    const tasks = await this.talk.ask(ctx, connection, (tool, call) => tool.searchTasks(call, integration.list_id, query.words));
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
    const chosen = await this.db.forTenant(ctx, (tx) => this.prepare(tx, params.id, query.integration_id));
    const task = await this.adoption.read(ctx, chosen.connection, query.task, chosen.integration);
    return this.db.forTenant(ctx, async (tx) => {
      const { copy, connection } = await this.prepare(tx, params.id, query.integration_id);
      const integration = await this.adoption.integrationOf(tx, connection, task);
      const tool = toolOf(connection.provider);
      const tickets = await countTicketsOfTask(tx, { ...connection, connection_id: connection.id, task_id: task.id });
      const place = { integration_id: integration.id, tool_name: tool.name, list_name: integration.list_name };
      const pair = this.adoption.pairOf(tool, { copy, integration, task }, tickets);
      return { task: { ...choiceOf(task, tickets), ...place }, differences: tickets > 0 ? [] : differencesOf(pair) };
    });
  }

  /**
   * Without `task`, a new one is created in the background. An existing task is read first, so an error is returned at once. It must be in
   * a list that the organization's admins chose.
   */
  @Handles(linkTicketTask)
  async link(ctx: Context, { params, body }: InputOf<typeof linkTicketTask>) {
    const chosen = await this.db.forTenant(ctx, (tx) => this.prepare(tx, params.id, body.integration_id));
    const task = body.task === undefined ? undefined : await this.adoption.read(ctx, chosen.connection, body.task, chosen.integration);
    return this.db.forTenant(ctx, async (tx) => {
      const { copy, integration, connection } = await this.prepare(tx, params.id, body.integration_id);
      if (task) {
        const owner = await this.adoption.integrationOf(tx, connection, task);
        await this.adoption.keep(tx, ctx, { copy, integration: owner, task }, body.winner);
      } else await this.beginNew(tx, ctx, copy, integration);
      wakeConnection(this.jobs, tx, ctx, connection.id);
      return (await readTask(tx, params.id))!;
    });
  }

  @Handles(unlinkTicketTask)
  async unlink(ctx: Context, { params }: InputOf<typeof unlinkTicketTask>) {
    await this.db.forTenant(ctx, async (tx) => {
      const link = await this.lockLink(tx, params.id, 'list');
      if (!link || link.state === 'parted') throw new AppError('task.not_linked');
      const { ticket_id, task_id } = link;
      await tx
        .updateTable('links')
        .set({
          state: 'parted',
          shadow: '{}',
          task: null,
          work_at: null,
          comments_told: [],
          problem: null,
          finished_at: null,
          create_begun_at: null,
        })
        .where('ticket_id', '=', ticket_id)
        .execute();
      if (link.is_primary) await promoteNext(tx, link, link);
      wakeConnection(this.jobs, tx, ctx, link.connection_id);
      await tx.deleteFrom('comment_links').where('ticket_id', '=', ticket_id).where('state', '=', 'pending').execute();
      const copy = await findCopy(tx, ticket_id);
      const ticket = { ticket_id, ticket_number: copy?.ticket_number ?? null };
      await note(
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
  sync(ctx: Context, { params }: InputOf<typeof syncTicketTask>) {
    return this.db.forTenant(ctx, async (tx) => {
      const link = await this.lockLink(tx, params.id, 'read');
      if (!link || link.state === 'parted' || link.state === 'gone') throw new AppError('task.not_linked');
      const integration = await findIntegration(tx, link.integration_id);
      if (!integration?.is_active) throw new AppError('integration.paused');
      const { ticket_id, task_id } = link;
      const now = new Date().toISOString();
      const anew = task_id === null ? ('creating' as const) : ('linked' as const);
      await tx
        .updateTable('links')
        .set({
          ...(link.state === 'adopting' ? {} : { state: anew }),
          shadow: JSON.stringify(retryNow(askAgain(link.shadow, now, 'anew'), now)),
          ...{
            work_at: sql<string>`now()`,
            urgency: 0,
            attempts: 0,
            problem: null,
            writes: 0,
            writes_since: null,
            hour_writes: 0,
            hour_since: null,
          },
          // Later than every state read so far, by the tool's clock too, so that the task counts as unread.
          ...(task_id !== null &&
            link.is_primary && {
              task_told_at: sql<string>`greatest(now(), task_seen_at + interval '1 millisecond', task_told_at)`,
              comments_told: sql<string[]>`array_append(array_remove(comments_told, ${someComment}), ${someComment})`,
            }),
        })
        .where('ticket_id', '=', ticket_id)
        .execute();
      await sendStatusAnew(tx, { ticket_id });
      await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
      wakeConnection(this.jobs, tx, ctx, link.connection_id);
      return (await readTask(tx, ticket_id))!;
    });
  }

  /** The ticket's link, locked. If it shares its task, the primary link is locked and made due first, in the same order as everywhere. */
  private async lockLink(tx: IntegrationsTx, ticket_id: string, to: 'list' | 'read'): Promise<LinkRow | undefined> {
    const seen = await findLink(tx, ticket_id);
    if (seen?.task_id && !seen.is_primary && seen.state !== 'parted' && seen.state !== 'gone') await wakePrimary(tx, seen, to);
    return findLinkForUpdate(tx, ticket_id);
  }

  /** Checks everything that may prevent a link; called before the request to the tool and once more after it. */
  private async prepare(tx: IntegrationsTx, ticket_id: string, integration_id: string) {
    const chosen = await this.prepareList(tx, ticket_id, integration_id);
    const link = await findLinkForUpdate(tx, ticket_id);
    if (link && link.state !== 'parted' && link.state !== 'gone') throw new AppError('task.already_linked');
    return chosen;
  }

  private async prepareList(tx: IntegrationsTx, ticket_id: string, integration_id: string) {
    const copy = await findCopy(tx, ticket_id);
    if (!copy && (await areTicketsComing(tx))) throw new AppError('service.unavailable', { retryAfterSeconds: untilToldSeconds });
    if (!copy) throw new AppError('ticket.not_found');
    const integration = await findIntegration(tx, integration_id);
    const connection = integration && (await findConnection(tx, integration.connection_id));
    if (!integration || !connection) throw new AppError('integration.not_found');
    if (connection.state === 'broken' || connection.sealed_token === null) throw new AppError('task_tool.broken');
    if (!integration.is_active) throw new AppError('integration.paused');
    return { copy, integration, connection };
  }

  private async beginNew(
    tx: IntegrationsTx,
    ctx: Context,
    { organization_id, ticket_id }: TicketCopy,
    { id, connection_id }: IntegrationRow,
  ) {
    await writeLink(tx, { organization_id, ticket_id }, { integration_id: id, connection_id, state: 'creating' });
    await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
  }
}

const choiceOf = ({ id, title, url, status }: TaskSnapshot, tickets: number): TaskChoice => ({ id, title, url, status, tickets });
