import type {
  ApiToken,
  ApiTokenRequest,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookEndpoint,
  WebhookReplay,
} from '@tandem/contracts';
import { http } from 'msw';
import { anId, backend, organization } from '../../testing/backend';
import { answer, api, refuse, signedIn } from '../../testing/responses';

const hourMs = 3_600_000;
export const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const inFuture = (ms: number): string => ago(-ms);

export const aToken = (overrides: Partial<ApiToken> = {}): ApiToken => ({
  id: anId(),
  organization_id: organization.id,
  name: 'Order importer',
  last_four: '3f9c',
  permissions: ['tickets:read', 'tickets:write'],
  networks: [],
  is_active: true,
  expires_at: null,
  last_used_at: null,
  last_used_ip: null,
  previous_valid_until: null,
  created_by: backend.me.user_id,
  creator_name: 'Ada Okafor',
  creator_is_active: true,
  created_at: ago(24 * hourMs),
  ...overrides,
});

export const aRequest = (overrides: Partial<ApiTokenRequest> = {}): ApiTokenRequest => ({
  request_id: anId(),
  at: ago(60_000),
  method: 'GET',
  path: '/tickets/:id',
  status: 200,
  code: null,
  duration_ms: 12.4,
  ...overrides,
});

export const anEndpoint = (overrides: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: anId(),
  organization_id: organization.id,
  url: 'https://orders.example.com/hooks',
  description: 'Order system',
  events: [],
  condition: null,
  payload: 'full',
  version: '2026-11-23',
  include_internal_notes: false,
  state: 'active',
  disabled_reason: null,
  failing_since: null,
  last_success_at: ago(60_000),
  secret_last_four: 'aXk=',
  previous_secret_until: null,
  created_by: backend.me.user_id,
  created_at: ago(48 * hourMs),
  updated_at: ago(48 * hourMs),
  health: {
    delivered: 1_240,
    failed: 3,
    pending: 0,
    oldest_pending_seconds: null,
    next_attempt_at: null,
    success_rate: 0.9976,
    p50_ms: 84,
    p95_ms: 310,
    hours: Array.from({ length: 24 }, (_, index) => ({
      hour: ago((23 - index) * hourMs),
      delivered: 30 + ((index * 7) % 40),
      failed: index === 20 ? 3 : 0,
    })),
  },
  ...overrides,
});

export const aDelivery = (endpoint: WebhookEndpoint, overrides: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: anId(),
  endpoint_id: endpoint.id,
  event_id: `evt_${anId()}`,
  event: 'ticket.created',
  ticket_id: anId(),
  ticket_number: 'NC-0042',
  state: 'delivered',
  cause: 'event',
  attempts: 1,
  last_status: 200,
  last_error: null,
  next_attempt_at: null,
  delivered_at: ago(60_000),
  created_at: ago(61_000),
  ...overrides,
});

export const anAttempt = (overrides: Partial<WebhookAttempt> = {}): WebhookAttempt => ({
  number: 1,
  at: ago(60_000),
  duration_ms: 143,
  status: 200,
  error: null,
  remote_address: '203.0.113.20',
  request_headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1', 'webhook-signature': 'v1,c2lnbmF0dXJl' },
  response_headers: { 'content-type': 'application/json' },
  response_body: '{"ok":true}',
  ...overrides,
});

const json = async <T>(request: Request) => (await request.json()) as T;
const paged = <T>(items: T[], request: Request, limit: number) => {
  const from = Number(new URL(request.url).searchParams.get('cursor') ?? 0);
  const next_cursor = from + limit < items.length ? String(from + limit) : null;
  return { items: items.slice(from, from + limit), next_cursor };
};

/** The fake server's API tokens and webhooks. Tests fill it and pass `handlers()` to `server.use`. */
export class FakePlatform {
  tokens: ApiToken[] = [];
  requests: ApiTokenRequest[] = [];
  endpoints: WebhookEndpoint[] = [];
  deliveries: WebhookDelivery[] = [];
  attempts: WebhookAttempt[] = [anAttempt()];
  replays: WebhookReplay[] = [];
  /** The number of events that a replay finds. */
  missed = 0;
  /** The bodies of the requests that changed something, by their call. */
  sent: { call: string; body: unknown }[] = [];

  private async note<T>(call: string, request: Request): Promise<T> {
    const body = await json<T>(request);
    this.sent.push({ call, body });
    return body;
  }

  private details = (delivery: WebhookDelivery): WebhookDeliveryDetails => ({
    ...delivery,
    body: '{"event":"ticket.created","data":{"ticket":{"subject":"Wrong grind"}}}',
    attempt_log: delivery.attempts === 0 ? [] : this.attempts,
  });

  private tokenHandlers() {
    const token = (id: unknown) => this.tokens.find((each) => each.id === id);
    return [
      http.get(api('/api-tokens'), () => signedIn(() => answer(this.tokens))),
      http.post(api('/api-tokens'), async ({ request }) => {
        const { expires_in_days, ...body } = await this.note<Partial<ApiToken> & { expires_in_days: number | null }>('create', request);
        const created = aToken({ ...body, expires_at: expires_in_days === null ? null : inFuture(expires_in_days * 24 * hourMs) });
        this.tokens.unshift(created);
        return answer({ token: created, value: 'tnd_live_secretvalue' }, { status: 201 });
      }),
      http.patch(api('/api-tokens/:id'), async ({ params, request }) => {
        const found = token(params.id);
        if (!found) return refuse('api_token.not_found');
        return answer(Object.assign(found, await this.note('update', request)));
      }),
      http.post(api('/api-tokens/:id/rotate'), async ({ params, request }) => {
        const { overlap_hours } = await this.note<{ overlap_hours: number }>('rotate', request);
        const found = token(params.id);
        if (!found) return refuse('api_token.not_found');
        found.previous_valid_until = overlap_hours === 0 ? null : inFuture(overlap_hours * hourMs);
        return answer({ token: found, value: 'tnd_live_newvalue' });
      }),
      http.delete(api('/api-tokens/:id'), ({ params }) => {
        this.tokens = this.tokens.filter(({ id }) => id !== params.id);
        return answer({});
      }),
      http.get(api('/api-tokens/:id/requests'), ({ request }) => {
        const { items, next_cursor } = paged(this.requests, request, 50);
        return answer({ requests: items, next_cursor });
      }),
    ];
  }

  private endpointHandlers() {
    const endpoint = (id: unknown) => this.endpoints.find((each) => each.id === id);
    return [
      http.get(api('/webhook-endpoints'), () => signedIn(() => answer(this.endpoints))),
      http.post(api('/webhook-endpoints'), async ({ request }) => {
        const created = anEndpoint({ ...(await this.note<object>('create', request)), last_success_at: null });
        this.endpoints.push(created);
        return answer({ endpoint: created, secret: 'whsec_secret' }, { status: 201 });
      }),
      http.patch(api('/webhook-endpoints/:id'), async ({ params, request }) => {
        const found = endpoint(params.id);
        if (!found) return refuse('webhook_endpoint.not_found');
        return answer(Object.assign(found, await this.note('update', request)));
      }),
      http.delete(api('/webhook-endpoints/:id'), ({ params }) => {
        this.endpoints = this.endpoints.filter(({ id }) => id !== params.id);
        return answer({});
      }),
      http.post(api('/webhook-endpoints/:id/rotate-secret'), async ({ params, request }) => {
        const { overlap_hours } = await this.note<{ overlap_hours: number }>('rotate', request);
        const found = endpoint(params.id);
        if (!found) return refuse('webhook_endpoint.not_found');
        found.previous_secret_until = inFuture(overlap_hours * hourMs);
        return answer({ endpoint: found, secret: 'whsec_new' });
      }),
    ];
  }

  private deliveryHandlers() {
    const list = (found: WebhookDelivery[], request: Request) => {
      const { searchParams } = new URL(request.url);
      const [state, event, from, ticket] = ['state', 'event', 'from', 'ticket_id'].map((name) => searchParams.get(name));
      const matching = found.filter(
        (each) =>
          (!state || each.state === state) &&
          (!event || each.event === event) &&
          (!from || each.created_at >= from) &&
          (!ticket || each.ticket_id === ticket),
      );
      const { items, next_cursor } = paged(matching, request, 25);
      return answer(items, { pagination: { page: null, limit: 25, total: matching.length, next_cursor } });
    };
    return [
      http.post(api('/webhook-endpoints/:id/test'), async ({ params, request }) => {
        const { event } = await this.note<{ event: WebhookDelivery['event'] }>('test', request);
        const found = this.endpoints.find(({ id }) => id === params.id);
        if (!found) return refuse('webhook_endpoint.not_found');
        const delivery = aDelivery(found, { event, cause: 'test', state: 'pending', attempts: 0, ticket_id: null, ticket_number: null });
        this.deliveries.unshift(delivery);
        return answer(delivery, { status: 202 });
      }),
      http.get(api('/webhook-endpoints/:id/deliveries'), ({ params, request }) =>
        list(
          this.deliveries.filter(({ endpoint_id }) => endpoint_id === params.id),
          request,
        ),
      ),
      http.get(api('/tickets/:id/webhook-deliveries'), ({ params, request }) =>
        list(
          this.deliveries.filter(({ ticket_id }) => ticket_id === params.id),
          request,
        ),
      ),
      http.get(api('/webhook-deliveries/:id'), ({ params }) => {
        const found = this.deliveries.find(({ id }) => id === params.id);
        return found ? answer(this.details(found)) : refuse('webhook_delivery.not_found');
      }),
      http.post(api('/webhook-deliveries/redeliver'), async ({ request }) => {
        const { ids } = await this.note<{ ids: string[] }>('redeliver', request);
        return answer(
          this.deliveries.filter(({ id }) => ids.includes(id)),
          { status: 202 },
        );
      }),
    ];
  }

  private replayHandlers() {
    return [
      http.post(api('/webhook-endpoints/:id/replay'), async ({ params, request }) => {
        const body = await this.note<{ since: string; which: WebhookReplay['which']; dry_run?: boolean }>('replay', request);
        if (body.dry_run) return answer({ count: this.missed, replay: null }, { status: 202 });
        const { since, which } = body;
        const head = { id: anId(), endpoint_id: String(params.id), since, until: ago(0), which };
        const replay: WebhookReplay = { ...head, state: 'running', total: this.missed, sent: 0, created_at: ago(0) };
        this.replays.unshift(replay);
        return answer({ count: this.missed, replay }, { status: 202 });
      }),
      http.get(api('/webhook-endpoints/:id/replays'), () => answer(this.replays)),
      http.patch(api('/webhook-replays/:id'), async ({ params, request }) => {
        const found = this.replays.find(({ id }) => id === params.id);
        if (!found) return refuse('webhook_replay.not_found');
        return answer(Object.assign(found, await this.note('update replay', request)));
      }),
    ];
  }

  handlers = () => [...this.tokenHandlers(), ...this.endpointHandlers(), ...this.deliveryHandlers(), ...this.replayHandlers()];
}
