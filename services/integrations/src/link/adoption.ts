import { Inject, Injectable } from '@nestjs/common';
import { AppError, syncFields, taskLinked, taskSynced, type Context } from '@tandem/contracts';
import { lockName, newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { ToolTalk } from '../connection/tool-talk';
import type { IntegrationsConfig } from '../config';
import type { TaskSnapshot } from '../provider/task-tool';
import type { ConnectionRow, IntegrationRow, IntegrationsTx, TicketCopy } from '../schema';
import { toolOf } from '../sync/caller';
import { ticketAddress } from '../sync/draft';
import { taskView, ticketView } from '../sync/fields';
import type { Shadow } from '../sync/merge';
import { isFinishedStatus } from '../sync/status';
import { note } from '../sync/sync-log.store';
import { writeLink } from './link.store';

/** Links a ticket to a task that is there already. */
@Injectable()
export class Adoption {
  constructor(
    private readonly talk: ToolTalk,
    @Inject('CONFIG') private readonly config: IntegrationsConfig,
  ) {}

  /** The task that somebody typed the id or the address of. */
  async read(ctx: Context, connection: ConnectionRow, typed: string): Promise<TaskSnapshot> {
    const task_id = toolOf(connection.provider).taskIdOf(typed);
    if (task_id === undefined) throw new AppError('task.not_found');
    try {
      return await this.talk.ask(ctx, connection, (tool, call) => tool.getTask(call, task_id));
    } catch (error) {
      // What a screen that chooses lists says of something missing.
      if (error instanceof AppError && error.code === 'task_tool.list_not_found') throw new AppError('task.not_found', { cause: error });
      throw error;
    }
  }

  /** Both sides keep what they hold: from now on what changes travels. The task's people read on it which ticket rides with it. */
  async keep(
    tx: IntegrationsTx,
    ctx: Context,
    { copy, integration, task }: { copy: TicketCopy; integration: IntegrationRow; task: TaskSnapshot },
  ) {
    const { organization_id, ticket_id } = copy;
    const { id: integration_id, connection_id } = integration;
    // Who links the same task to another ticket at this moment waits, and finds it taken.
    await lockName(tx, `task:${connection_id}:${task.id}`);
    const elsewhere = await tx
      .selectFrom('links')
      .select('ticket_id')
      .where('organization_id', '=', organization_id)
      .where('connection_id', '=', connection_id)
      .where('task_id', '=', task.id)
      .where('state', '<>', 'parted')
      .where('ticket_id', '<>', ticket_id)
      .executeTakeFirst();
    if (elsewhere) throw new AppError('task.linked_elsewhere');
    const [ticket, shown] = [ticketView(copy), taskView(task, {})];
    const shadow: Shadow = Object.fromEntries(syncFields.map((field) => [field, { ticket: ticket[field], task: shown[field] }]));
    await writeLink(
      tx,
      { organization_id, ticket_id },
      {
        ...{
          integration_id,
          connection_id,
          state: 'linked',
          task_id: task.id,
          task_url: task.url,
          task,
          task_seen_at: task.updated_at,
          // What was said on it before the link is not brought.
          comments_told_until: task.updated_at,
          shadow,
        },
        ...{ ticket_sequence: copy.sequence, finished_at: isFinishedStatus(task.status) ? new Date().toISOString() : null },
      },
    );
    const content = `Linked to ticket ${copy.ticket_number}: ${ticketAddress(this.config.PUBLIC_URL, ticket_id)}`;
    await tx
      .insertInto('comment_links')
      .values({ organization_id, id: newId(), ticket_id, content, state: 'pending', created_at: new Date().toISOString() })
      .execute();
    await note(tx, integration, { level: 'info', ticket: copy, message: 'The ticket was linked to a task that was there already' });
    await emit(tx, ctx, taskLinked, ticket_id, { ticket_id, provider: integration.provider, task_id: task.id, url: task.url });
    await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
  }
}
