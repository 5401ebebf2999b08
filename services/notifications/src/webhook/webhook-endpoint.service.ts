import { Controller, Inject } from '@nestjs/common';
import {
  AppError,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  deliverWebhook,
  listWebhookEndpoints,
  rotateWebhookSecret,
  systemContext,
  updateWebhookEndpoint,
  webhookEndpointChanged,
  type Changes,
  type Context,
  type DataOf,
  type InputOf,
  type OutputOf,
  type TenantContext,
  type WebhookEndpoint,
} from '@tandem/contracts';
import { webhookRules, webhookVersions } from '@tandem/contracts/values';
import { Database, lockName, newId } from '@tandem/db';
import { emit, Handles, Jobs } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import type { NotificationsConfig } from '../config';
import type { NotificationsSchema } from '../schema';
import {
  findEndpointForUpdate,
  findEndpoints,
  insertEndpoint,
  updateEndpoint,
  withHealth,
  type EndpointRow,
  type WebhookTx,
} from './webhook-endpoint.store';
import { newWebhookSecret, secretPurpose } from './webhook-signature';
import { assertUrl } from './webhook-url';

/** Fields that the audit log lists when they change. */
const audited = ['url', 'description', 'events', 'condition', 'payload', 'include_internal_notes', 'state'] as const;

/** Lists, creates and changes the endpoints of an organization. */
@Controller()
export class WebhookEndpointService {
  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly jobs: Jobs,
    private readonly secrets: Secrets,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  @Handles(listWebhookEndpoints)
  list(ctx: TenantContext): Promise<WebhookEndpoint[]> {
    return this.db.forTenant(ctx, async (tx) => withHealth(tx, ctx.organization_id, await findEndpoints(tx, ctx.organization_id)));
  }

  @Handles(createWebhookEndpoint)
  create(ctx: TenantContext, { body }: InputOf<typeof createWebhookEndpoint>): Promise<OutputOf<typeof createWebhookEndpoint>> {
    assertUrl(body.url, this.config);
    const { organization_id } = ctx;
    const secret = newWebhookSecret();
    return this.db.forTenant(ctx, async (tx) => {
      await lockName(tx, `webhook-endpoints:${organization_id}`);
      if ((await findEndpoints(tx, organization_id)).length >= webhookRules.maxEndpoints) throw new AppError('webhook_endpoint.too_many');
      const row = await insertEndpoint(tx, {
        organization_id,
        id: newId(),
        ...body,
        events: [...new Set(body.events)],
        condition: body.condition === null ? null : JSON.stringify(body.condition),
        version: webhookVersions[webhookVersions.length - 1]!,
        ...this.sealed(secret),
        created_by: userIdOf(ctx),
      });
      await announce(tx, ctx, 'created', row);
      return { endpoint: await one(tx, row), secret };
    });
  }

  @Handles(updateWebhookEndpoint)
  update(ctx: TenantContext, { params, body }: InputOf<typeof updateWebhookEndpoint>): Promise<WebhookEndpoint> {
    if (body.url !== undefined) assertUrl(body.url, this.config);
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getEndpointForUpdate(tx, ctx, params.id);
      // A new URL, or `state: active`, enables a failing endpoint again.
      const isNewUrl = body.url !== undefined && body.url !== before.url;
      const state = body.state ?? (isNewUrl && before.state === 'disabled' ? 'active' : before.state);
      const isReset = isNewUrl || (state === 'active' && before.state !== 'active');
      const row = await updateEndpoint(tx, before, {
        ...body,
        ...(body.events === undefined ? {} : { events: [...new Set(body.events)] }),
        condition: conditionText(body.condition === undefined ? before.condition : body.condition),
        state,
        ...(state === 'disabled' ? {} : { disabled_reason: null }),
        ...(isReset ? { failing_since: null, failing_event_id: null, other_failure_at: null, warned_hours: 0, is_throttled: false } : {}),
      });
      const changes = changesOf(before, row);
      if (Object.keys(changes).length > 0) await announce(tx, ctx, 'updated', row, changes);
      // Sends the deliveries that became due while the endpoint was paused.
      if (isReset)
        this.jobs.add(tx, systemContext(ctx.organization_id, ctx.request_id), deliverWebhook, { endpoint_id: row.id }, { id: newId() });
      return one(tx, row);
    });
  }

  /** Only marks the row, and removes its secrets: a worker cancels the pending deliveries, which may be many, and then deletes the row. */
  @Handles(deleteWebhookEndpoint)
  delete(ctx: TenantContext, { params }: InputOf<typeof deleteWebhookEndpoint>): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getEndpointForUpdate(tx, ctx, params.id);
      await updateEndpoint(tx, before, { deleted_at: new Date().toISOString(), sealed_secret: '', sealed_previous_secret: null });
      await announce(tx, ctx, 'deleted', before);
      this.jobs.add(tx, systemContext(ctx.organization_id, ctx.request_id), deliverWebhook, { endpoint_id: before.id }, { id: newId() });
      return {};
    });
  }

  @Handles(rotateWebhookSecret)
  rotate(ctx: TenantContext, { params, body }: InputOf<typeof rotateWebhookSecret>): Promise<OutputOf<typeof rotateWebhookSecret>> {
    const secret = newWebhookSecret();
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getEndpointForUpdate(tx, ctx, params.id);
      const overlaps = body.overlap_hours > 0;
      const row = await updateEndpoint(tx, before, {
        ...this.sealed(secret),
        sealed_previous_secret: overlaps ? before.sealed_secret : null,
        previous_secret_until: overlaps ? new Date(Date.now() + body.overlap_hours * 3_600_000).toISOString() : null,
      });
      await announce(tx, ctx, 'secret_rotated', row);
      return { endpoint: await one(tx, row), secret };
    });
  }

  private sealed(secret: string) {
    return { sealed_secret: this.secrets.seal(secretPurpose, secret), secret_last_four: secret.slice(-4) };
  }
}

/** Throws `webhook_endpoint.not_found`, including for an endpoint of another organization. */
export async function getEndpointForUpdate(tx: WebhookTx, ctx: TenantContext, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpointForUpdate(tx, ctx.organization_id, id);
  if (!endpoint) throw new AppError('webhook_endpoint.not_found');
  return endpoint;
}

async function one(tx: WebhookTx, row: EndpointRow): Promise<WebhookEndpoint> {
  const [endpoint] = await withHealth(tx, row.organization_id, [row]);
  return endpoint!;
}

const conditionText = (condition: EndpointRow['condition']): string | null => (condition === null ? null : JSON.stringify(condition));

function changesOf(before: EndpointRow, after: EndpointRow): Changes {
  const changed = audited.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
}

/** For the audit log. */
export async function announce(
  tx: WebhookTx,
  ctx: Context,
  what: DataOf<typeof webhookEndpointChanged>['what'],
  { id, url, state }: Pick<EndpointRow, 'id' | 'url' | 'state'>,
  changes: Changes = {},
): Promise<void> {
  await emit(tx, ctx, webhookEndpointChanged, id, { what, endpoint: { id, url, state }, changes });
}

/** The operation has no token permission, so the caller is a user. */
function userIdOf({ actor }: Context): string {
  if (actor.type !== 'user') throw new AppError('token.not_allowed');
  return actor.user_id;
}
