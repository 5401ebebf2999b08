import { Injectable } from '@nestjs/common';
import { processWebhook, systemContext, type JobDataOf, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Jobs, HandlesJob, Recovers } from '@tandem/messaging';
import { findTaskTool } from '../provider/registry';
import type { InboundChange } from '../provider/task-tool';
import { markListDeleted } from './list-deleted';
import type { IntegrationsSchema, IntegrationsTx } from '../schema';
import { scheduleSync } from '../engine/schedule-sync';
import { summarizeChanges, applyNotice, type TaskNotice } from './webhook';
import {
  findWaitingConnectionsAcrossOrganizations,
  findIntegrationsOfLists,
  findKnownComments,
  findLinksOfTasksForUpdate,
  finishWebhooks,
  hasStoredWebhooks,
  saveNotified,
  lockConnection,
  findStoredWebhooks,
  type WebhookOutcome,
} from './webhook.store';

/**
 * Applies stored webhooks to the links of the tasks that they name, many webhooks in one transaction: a burst costs little, and of a
 * hundred changes to one task only the last state is read. A malformed body is kept, marked as failed and never retried.
 */
@Injectable()
export class WebhookWorker {
  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly jobs: Jobs,
  ) {}

  /**
   * One job handles all stored webhooks of a connection; concurrent jobs end immediately. No webhook is left over: the job that holds the
   * lock checks again after releasing it.
   */
  @HandlesJob(processWebhook, { concurrency: 5 })
  async process(ctx: TenantContext, { connection_id }: JobDataOf<typeof processWebhook>) {
    let hasLock = true;
    while (hasLock && (await this.db.forTenant(ctx, (tx) => hasStoredWebhooks(tx, connection_id))))
      hasLock = await this.db.forTenant(ctx, (tx) => this.processBatch(tx, ctx, connection_id));
  }

  @Recovers(processWebhook)
  async findWaiting() {
    const waiting = await this.db.asSystem('stored webhooks without a job', findWaitingConnectionsAcrossOrganizations);
    return waiting.map(({ connection_id, organization_id }) => ({
      id: connection_id,
      ctx: systemContext(organization_id, `sweep-${connection_id}`),
      data: { connection_id },
    }));
  }

  /** False if another process handles this connection. */
  private async processBatch(tx: IntegrationsTx, ctx: TenantContext, connection_id: string): Promise<boolean> {
    if (!(await lockConnection(tx, connection_id))) return false;
    const stored = await findStoredWebhooks(tx, connection_id);
    const webhooks = stored.map(read);
    const [first] = stored;
    const time_step_ms = findTaskTool(first?.provider ?? '')?.time_step_ms ?? 1;
    const { tasks, deleted_lists } = summarizeChanges(
      webhooks.flatMap(({ changes }) => changes),
      { account_id: first?.account_id ?? '', time_step_ms },
    );
    const isDue = await this.notifyLinks(tx, ctx, connection_id, tasks);
    if (deleted_lists.size > 0)
      for (const integration of await findIntegrationsOfLists(tx, connection_id, [...deleted_lists]))
        await markListDeleted(tx, ctx, integration);
    await finishWebhooks(
      tx,
      webhooks.map(({ outcome }) => outcome),
    );
    if (isDue) scheduleSync(this.jobs, tx, ctx, connection_id);
    return true;
  }

  /** Tasks without a link are ignored. */
  private async notifyLinks(
    tx: IntegrationsTx,
    ctx: TenantContext,
    connection_id: string,
    tasks: Map<string, TaskNotice>,
  ): Promise<boolean> {
    if (tasks.size === 0) return false;
    const links = await findLinksOfTasksForUpdate(tx, ctx.organization_id, connection_id, [...tasks.keys()]);
    const noticeFor = ({ task_id, receives_comments }: (typeof links)[number]): TaskNotice => {
      const notice = tasks.get(task_id!)!;
      return receives_comments ? notice : { ...notice, comment_ids: [] };
    };
    const named = links.flatMap((link) => noticeFor(link).comment_ids);
    const known = await findKnownComments(
      tx,
      links.map(({ ticket_id }) => ticket_id),
      named,
    );
    const now = new Date().toISOString();
    const notified = links.map((link) => ({
      ticket_id: link.ticket_id,
      ...applyNotice(link, noticeFor(link), (id) => known.has(`${link.ticket_id}:${id}`), now),
    }));
    await saveNotified(tx, notified);
    return notified.some(({ is_due }) => is_due);
  }
}

function read({ id, body, provider }: { id: string; body: Buffer; provider: string }): {
  changes: InboundChange[];
  outcome: WebhookOutcome;
} {
  try {
    const changes = findTaskTool(provider)?.readWebhook(body) ?? [];
    const [first] = changes;
    return { changes, outcome: { id, state: 'done', event: first?.event ?? null, task_id: first?.task_id ?? null, last_error: null } };
  } catch (error) {
    // Parsing makes no calls, so a retry would fail the same way, and must not block the other webhooks.
    const last_error = error instanceof Error ? error.message : String(error);
    return { changes: [], outcome: { id, state: 'failed', event: null, task_id: null, last_error } };
  }
}
