import { createHash } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { AppError, processWebhook, receiveWebhook, type Context, type InputOf } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Handles, Jobs } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import { findTaskTool } from '../provider/registry';
import type { IntegrationsSchema } from '../schema';
import { findConnectionAcrossOrganizations, insertWebhook } from './webhook.store';

export const webhookSecretPurpose = 'task-tool-webhook';

/** Takes in what task tools send: verified over the raw bytes, stored, answered; the work comes after. */
@Controller()
export class WebhookService {
  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly jobs: Jobs,
    private readonly secrets: Secrets,
  ) {}

  @Handles(receiveWebhook)
  async receive(ctx: Context, { params, body }: InputOf<typeof receiveWebhook>) {
    const tool = findTaskTool(params.provider);
    const connection = await this.db.asSystem('the webhook’s address names the connection', (tx) =>
      findConnectionAcrossOrganizations(tx, params.connectionId),
    );
    if (!tool || connection?.provider !== tool.key) throw new AppError('task_tool.unknown');

    const raw = Buffer.from(body.body_base64, 'base64');
    const secret = this.secrets.open(webhookSecretPurpose, connection.sealed_webhook_secret);
    if (!tool.verifyWebhook({ headers: body.headers, body: raw }, secret)) throw new AppError('webhook.refused');

    const owned = { ...ctx, organization_id: connection.organization_id, actor: { type: 'task-tool' as const } };
    const stored = await this.db.forTenant(owned, async (tx) => {
      const id = newId();
      const fingerprint = createHash('sha256').update(connection.id).update(raw).digest('hex');
      const added = await insertWebhook(tx, {
        id,
        organization_id: connection.organization_id,
        connection_id: connection.id,
        fingerprint,
        body: raw,
      });
      if (added) this.jobs.add(tx, owned, processWebhook, { inbound_webhook_id: id }, { id });
      return added;
    });
    return { stored };
  }
}
