import { createHash } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { AppError, receiveWebhook, type Context, type InputOf } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import { findTaskTool } from '../provider/registry';
import type { RawWebhook, TaskTool } from '../provider/task-tool';
import type { IntegrationsSchema } from '../schema';
import { WebhookDebounce } from './webhook-debounce';
import { webhookSecretPurpose } from './webhook';
import { findReceiverAcrossOrganizations, insertWebhook } from './webhook.store';

/**
 * Receives webhooks of task tools: verifies the raw bytes, stores them and responds; processing follows later. Without any stored secret
 * (the integration or connection was removed) the response is 404, with a wrong signature it is 400. ClickUp retries both, including a
 * webhook that arrives before its secret is stored, and counts them as failed. Only 401 and 410 would make ClickUp suspend the webhook, and
 * neither is ever returned.
 */
@Controller()
export class WebhookService {
  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly debounce: WebhookDebounce,
    private readonly secrets: Secrets,
  ) {}

  @Handles(receiveWebhook)
  async receive(ctx: Context, { params, body }: InputOf<typeof receiveWebhook>) {
    const tool = findTaskTool(params.provider);
    const receiver = await this.db.asSystem('the connection of a webhook', (tx) =>
      findReceiverAcrossOrganizations(tx, params.connectionId),
    );
    if (!tool || receiver?.provider !== tool.key || receiver.sealed_secrets.length === 0) throw new AppError('task_tool.unknown');
    const raw = Buffer.from(body.body_base64, 'base64');
    if (!this.isSigned(tool, { headers: body.headers, body: raw }, receiver.sealed_secrets)) throw new AppError('webhook.refused');

    const { id: connection_id, organization_id } = receiver;
    const owned = { ...ctx, organization_id, actor: { type: 'task-tool' as const } };
    const fingerprint = createHash('sha256').update(connection_id).update(raw).digest('hex');
    const stored = await this.db.forTenant(owned, (tx) =>
      insertWebhook(tx, { id: newId(), organization_id, connection_id, fingerprint, body: raw }),
    );
    if (stored) this.debounce.schedule(owned, connection_id);
    return { stored };
  }

  private isSigned(tool: TaskTool, webhook: RawWebhook, sealed: string[]): boolean {
    return sealed.some((secret) => tool.verifyWebhook(webhook, this.secrets.open(webhookSecretPurpose, secret)));
  }
}
