import { Injectable } from '@nestjs/common';
import { Permanent, processWebhook, systemContext, type Context, type JobDataOf } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Sweeps, Works } from '@tandem/messaging';
import { findTaskTool } from '../provider/registry';
import type { IntegrationsSchema } from '../schema';
import { findUnfinishedWebhooksAcrossOrganizations, finishWebhook, getStoredWebhookForUpdate } from './webhook.store';

/** Works on stored webhooks: what each says goes into its row. A body that makes no sense is kept, marked and never tried again. */
@Injectable()
export class WebhookWorker {
  constructor(private readonly db: Database<IntegrationsSchema>) {}

  @Works(processWebhook, { concurrency: 5 })
  async process(ctx: Context, { inbound_webhook_id }: JobDataOf<typeof processWebhook>) {
    await this.db.forTenant(ctx, async (tx) => {
      const webhook = await getStoredWebhookForUpdate(tx, inbound_webhook_id);
      if (!webhook) return;
      try {
        const changes = findTaskTool(webhook.provider)?.readWebhook(webhook.body) ?? [];
        await finishWebhook(tx, webhook.id, { state: 'done', event: changes[0]?.event, task_id: changes[0]?.task_id });
      } catch (error) {
        if (!(error instanceof Permanent)) throw error;
        await finishWebhook(tx, webhook.id, { state: 'failed', last_error: error.message });
      }
    });
  }

  @Sweeps(processWebhook)
  async findForgotten() {
    const forgotten = await this.db.asSystem(
      'webhooks of every organization that Redis may have forgotten',
      findUnfinishedWebhooksAcrossOrganizations,
    );
    return forgotten.map(({ id, organization_id }) => ({
      id,
      ctx: systemContext(organization_id, `sweep-${id}`),
      data: { inbound_webhook_id: id },
    }));
  }
}
