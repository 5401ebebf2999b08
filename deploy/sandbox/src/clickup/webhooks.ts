import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Deliveries, type Delivery, type DeliveryRules } from '../deliveries';
import { ClickUpError, notAuthorized } from './errors';
import type { Token, Webhook } from './state';
import type { World } from './world';

/** The places of an event: webhooks of any of them receive it. */
export interface EventPlace {
  team_id: string;
  space_ids: string[];
  folder_ids: string[];
  list_ids: string[];
  task_id?: string;
}

/** ClickUp suspends a webhook after this many failed events in a row. */
const SUSPENDED_AT = 100;

export interface WebhookInput {
  endpoint: string;
  events: string | string[];
  space_id?: number;
  folder_id?: number;
  list_id?: number;
  task_id?: string;
}

/** Registered webhooks and their delivery health. */
export class Webhooks {
  readonly deliveries: Deliveries;

  constructor(
    private readonly world: World,
    rules: DeliveryRules,
    private readonly eventsAsText = false,
  ) {
    this.deliveries = new Deliveries(rules, {
      wanted: ({ webhook_id }) => this.isLive(webhook_id),
      answered: (delivery, status) => this.answered(delivery, status),
      failed: ({ webhook_id }) => this.failed(webhook_id),
    });
  }

  create(token: Token, team_id: string, input: WebhookInput): Webhook {
    const { endpoint } = input;
    if (!URL.canParse(endpoint)) throw new ClickUpError(400, 'SANDBOX_ENDPOINT', 'Endpoint is not a URL');
    const place = this.place(token, input);
    const own = this.ofToken(token, team_id);
    if (
      own.some(
        (each) => each.endpoint === endpoint && (Object.keys(place) as (keyof typeof place)[]).every((key) => each[key] === place[key]),
      )
    )
      throw new ClickUpError(400, 'OAUTH_171', 'Webhook configuration already exists');
    const webhook: Webhook = {
      id: randomUUID(),
      team_id,
      user_id: token.user_id,
      client_id: clientOf(token),
      endpoint,
      events: [input.events].flat(),
      ...place,
      secret: randomBytes(40).toString('base64url').toUpperCase(),
      health: { status: 'active', fail_count: 0 },
    };
    this.world.webhooks.set(webhook.id, webhook);
    this.world.changed();
    return webhook;
  }

  /** Only webhooks that this user created through this application. */
  ofToken(token: Token, team_id: string): Webhook[] {
    return [...this.world.webhooks.values()].filter((each) => each.team_id === team_id && isOwner(token, each));
  }

  update(token: Token, id: string, { endpoint, events, status }: { endpoint: string; events: string | string[]; status: string }): Webhook {
    const webhook = this.owned(token, id);
    if (this.eventsAsText && typeof events !== 'string') throw new ClickUpError(400, 'SANDBOX_EVENTS', 'Webhook events invalid');
    webhook.endpoint = endpoint;
    webhook.events = [events].flat();
    if (status === 'active') webhook.health = { status: 'active', fail_count: 0 };
    this.world.changed();
    return webhook;
  }

  remove(token: Token, id: string): void {
    this.world.webhooks.delete(this.owned(token, id).id);
    this.world.changed();
  }

  suspendAll(): void {
    for (const webhook of this.world.webhooks.values()) webhook.health = { status: 'suspended', fail_count: SUSPENDED_AT };
    this.world.changed();
  }

  /** Sends the event to each webhook that is registered for it at this place. */
  publish(event: string, where: EventPlace, content: Record<string, unknown>): void {
    for (const webhook of this.world.webhooks.values()) {
      if (!receives(webhook, event, where) || !this.isLive(webhook.id)) continue;
      const body = JSON.stringify({ event, ...content, webhook_id: webhook.id });
      this.deliveries.send({ webhook_id: webhook.id, endpoint: webhook.endpoint, event, body, headers: signed(body, webhook.secret) });
    }
  }

  private owned(token: Token, id: string): Webhook {
    const webhook = this.world.webhooks.get(id);
    if (!webhook || !isOwner(token, webhook)) throw notAuthorized();
    return webhook;
  }

  /** Only the most specific place is used, the others are ignored. */
  private place(token: Token, { space_id, folder_id, list_id, task_id }: WebhookInput) {
    const noLocation = { task_id: null, list_id: null, folder_id: null, space_id: null };
    if (task_id !== undefined) return { ...noLocation, task_id: this.world.taskFor(token, task_id).id };
    if (list_id !== undefined) return { ...noLocation, list_id: this.world.listFor(token, String(list_id)).id };
    if (folder_id !== undefined) {
      const folder = this.world.folders.get(String(folder_id));
      if (!folder) throw notAuthorized();
      this.world.spaceFor(token, folder.space_id);
      return { ...noLocation, folder_id: folder.id };
    }
    if (space_id !== undefined) return { ...noLocation, space_id: this.world.spaceFor(token, String(space_id)).id };
    return noLocation;
  }

  /** Not suspended, not deleted, and its owner still has access: the webhook of a user who lost access stops silently. */
  private isLive(id: string): boolean {
    const webhook = this.world.webhooks.get(id);
    if (!webhook || webhook.health.status === 'suspended') return false;
    return [...this.world.tokens.values()].some(
      (token) => isOwner(token, webhook) && !token.revoked && this.world.reaches(token, webhook.team_id),
    );
  }

  private answered({ webhook_id }: Delivery, status: number | null): 'stop' | 'retry' {
    const webhook = this.world.webhooks.get(webhook_id);
    if (!webhook) return 'stop';
    if (status !== null && status >= 200 && status < 300) {
      if (webhook.health.fail_count > 0) this.world.changed();
      webhook.health = { status: 'active', fail_count: 0 };
      return 'stop';
    }
    if (status !== 401 && status !== 410) return 'retry';
    webhook.health.status = 'suspended';
    this.world.changed();
    return 'stop';
  }

  private failed(id: string): void {
    const webhook = this.world.webhooks.get(id);
    if (!webhook) return;
    const fail_count = webhook.health.fail_count + 1;
    webhook.health = { status: fail_count >= SUSPENDED_AT ? 'suspended' : 'failing', fail_count };
    this.world.changed();
  }
}

const clientOf = (token: Token): string => token.client_id ?? `personal-${token.user_id}`;
const isOwner = (token: Token, webhook: Webhook): boolean => token.user_id === webhook.user_id && clientOf(token) === webhook.client_id;

function receives({ team_id, events, task_id, list_id, folder_id, space_id }: Webhook, event: string, where: EventPlace): boolean {
  if (team_id !== where.team_id || !(events.includes('*') || events.includes(event))) return false;
  if (task_id !== null) return task_id === where.task_id;
  if (list_id !== null) return where.list_ids.includes(list_id);
  if (folder_id !== null) return where.folder_ids.includes(folder_id);
  return space_id === null || where.space_ids.includes(space_id);
}

/** The plain hex HMAC of the raw body, with the secret's text as key. No timestamp, no delivery id. */
const signed = (body: string, secret: string): Record<string, string> => ({
  'x-signature': createHmac('sha256', secret).update(body, 'utf8').digest('hex'),
});
