import { Inject, Injectable } from '@nestjs/common';
import { AppError, taskLinked, taskSynced, type Context, type LinkTask } from '@tandem/contracts';
import { lockName, newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { InteractiveToolClient } from '../tool/interactive-tool-client';
import type { IntegrationsConfig } from '../config';
import { ToolError, type TaskSnapshot, type TaskTool } from '../provider/task-tool';
import type { ConnectionRow, IntegrationRow, IntegrationsTx, TicketCopy } from '../schema';
import { getTaskTool } from '../tool/tool-client';
import { ticketUrl } from '../push/draft';
import type { Pair } from '../merge/fields';
import { maxTicketsPerTask } from '../merge/sharing';
import { countTicketsOfTask, clearPrimary, findPrimary, markPrimaryDue } from '../engine/sharing.store';
import { isFinishedStatus } from '../merge/status';
import { logSync } from '../engine/sync-log.store';
import { shadowOf } from './differences';
import { findIntegrationOfList, startLink } from './link.store';

/** Links a ticket to an existing task. */
@Injectable()
export class LinkExistingTask {
  constructor(
    private readonly client: InteractiveToolClient,
    @Inject('CONFIG') private readonly config: IntegrationsConfig,
  ) {}

  /** The task of an entered id or URL; `place` is the list that was chosen with it. */
  async readTask(ctx: Context, connection: ConnectionRow, typed: string, place: IntegrationRow): Promise<TaskSnapshot> {
    const task_id = getTaskTool(connection.provider).taskIdOf(typed, place);
    if (task_id === undefined) throw new AppError('task.reference_invalid');
    try {
      const task = await this.client.request(ctx, connection, (tool, call) => tool.getTask(call, task_id));
      if (task.archived) throw new AppError('task.archived');
      return task;
    } catch (error) {
      throw linkError(error);
    }
  }

  /**
   * The active integration whose list contains the task. Staff may not read anything else that the connection can see: they only see that
   * the task is in another list.
   */
  async integrationOf(tx: IntegrationsTx, connection: ConnectionRow, task: TaskSnapshot): Promise<IntegrationRow> {
    const integration = await findIntegrationOfList(tx, connection.id, task.list_id);
    if (!integration) throw new AppError('task.not_in_list');
    if (!integration.is_active) throw new AppError('integration.paused');
    return integration;
  }

  /** If other tickets share the task, only its status and comments sync to this ticket: then there are no differences to resolve. */
  pairOf(tool: TaskTool, { copy, integration, task }: Linking, tickets: number): Pair {
    return { tool, copy, integration, task, shadow: {}, sharing: tickets > 0 ? 'follower' : 'none' };
  }

  /**
   * Links the ticket. Both sides keep their values unless `winner` is set. A comment on the task names the ticket that it was linked to.
   */
  async link(tx: IntegrationsTx, ctx: Context, linking: Linking, winner?: LinkTask['winner']) {
    const { copy, integration, task } = linking;
    const { organization_id, ticket_id } = copy;
    const { id: integration_id, connection_id } = integration;
    // A concurrent link of a second ticket to the task waits here, and then finds the first one.
    await lockName(tx, `task:${connection_id}:${task.id}`);
    const ofTask = { organization_id, connection_id, task_id: task.id };
    const tickets = await countTicketsOfTask(tx, ofTask);
    if (tickets >= maxTicketsPerTask) throw new AppError('task.too_many_tickets');
    const is_primary = await becomesPrimary(tx, ofTask);
    const pair = this.pairOf(getTaskTool(integration.provider), linking, tickets);
    // Before this link is written, because links of one task are always locked with the primary one first.
    await markPrimaryDue(tx, ofTask, 'list');
    await startLink(tx, { organization_id, ticket_id }, 'task_chosen', {
      integration_id,
      connection_id,
      task_id: task.id,
      task_url: task.url,
      task: JSON.stringify(task),
      is_primary: is_primary,
      task_read_at: task.updated_at,
      ticket_sequence: copy.sequence,
      // Comments from before the link are not copied to the ticket.
      comments_read_until: task.updated_at,
      shadow: JSON.stringify(shadowOf(pair, tickets > 0 ? undefined : winner)),
      finished_at: isFinishedStatus(task.status) ? new Date().toISOString() : null,
    });
    const content = `Linked to ticket ${copy.ticket_number}: ${ticketUrl(this.config.PUBLIC_URL, ticket_id)}`;
    await tx
      .insertInto('comment_links')
      .values({ organization_id, id: newId(), ticket_id, content, state: 'pending', created_at: new Date().toISOString() })
      .execute();
    await logSync(tx, integration, { level: 'info', ticket: copy, message: 'The ticket was linked to an existing task' });
    await emit(tx, ctx, taskLinked, ticket_id, { ticket_id, provider: integration.provider, task_id: task.id, url: task.url });
    await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
  }
}

/**
 * Whether the next ticket of a task becomes its primary one. A primary link whose sync has stopped would leave the others without updates.
 */
async function becomesPrimary(tx: IntegrationsTx, ofTask: Parameters<typeof findPrimary>[1]): Promise<boolean> {
  const primary = await findPrimary(tx, ofTask);
  if (primary?.state === 'linked') return false;
  if (primary) await clearPrimary(tx, primary);
  return true;
}

interface Linking {
  copy: TicketCopy;
  integration: IntegrationRow;
  task: TaskSnapshot;
}

/** Why the tool did not return a task. It answers "unauthorized" for ids that do not exist as well as for those of other workspaces. */
function linkError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'task_tool.list_not_found') return error;
  const { cause } = error;
  const code = cause instanceof ToolError ? cause.details.code : undefined;
  if (code === 'pull_request') return new AppError('task.reference_invalid', { cause });
  const isHidden = code === 'repository_hidden' || (cause instanceof ToolError && cause.problem !== 'missing');
  return new AppError(isHidden ? 'task.no_access' : 'task.not_found', { cause });
}
