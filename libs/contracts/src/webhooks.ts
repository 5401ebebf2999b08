import * as z from 'zod';
import { ArticleSummary } from './articles';
import { Comment } from './comments';
import { Condition } from './conditions';
import { event, job, operation } from './define';
import { PageQuery } from './pagination';
import { Id, requiredText, text, Timestamp } from './scalars';
import { Survey } from './surveys';
import { byTicket, Changes, Ticket } from './tickets';
import {
  articleEventTypes,
  sentEventTypes,
  webhookDeliveryStates,
  webhookEventTypes,
  webhookRules,
  webhookVersions,
} from './values/webhooks';

const owner = 'notifications';
const allow = 'webhook.write';
const token = 'webhooks:manage';

// ---- the body that receivers get ------------------------------------------------------------------------------

export const WebhookEventName = z.enum(webhookEventTypes);
/** `evt_` and a UUIDv7: the same in every repetition of an event, and equal to the header `webhook-id`. */
export const WebhookEventId = z.string().regex(/^evt_[0-9a-f-]{36}$/, 'Not a valid event id');

/** Who caused an event. `name` is a member's or a token's name at that time; null for customers and the system. */
const WebhookActor = z.object({
  type: z.enum(['user', 'token', 'customer', 'task-tool', 'system']),
  id: Id.nullable(),
  name: z.string().nullable(),
});
const eventHead = {
  id: WebhookEventId,
  event: z.enum(sentEventTypes),
  /** When it happened. */
  timestamp: Timestamp,
  organization_id: Id,
  /** Counts per ticket or article, from 1: compare it, because the order of deliveries is not guaranteed. */
  sequence: z.number().int(),
  version: z.enum(webhookVersions),
  actor: WebhookActor,
};
/** The full body of an event about a ticket. `data.ticket` is the ticket at the time of the event. */
export const WebhookEvent = z.object({
  ...eventHead,
  data: z.object({
    ticket: Ticket,
    comment: Comment.optional(),
    changes: Changes.optional(),
    survey: Survey.optional(),
    /** The timer of an SLA event. */
    clock: z.string().optional(),
    /** The rule that sent the ticket. */
    rule: z.object({ id: Id, name: z.string() }).optional(),
    /** The ticket into which `ticket` was merged. */
    into: Ticket.optional(),
  }),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;
/** The full body of an event about an article. `data.article` is the article at the time of the event, without its text. */
export const ArticleWebhookEvent = z.object({
  ...eventHead,
  event: z.enum(articleEventTypes),
  data: z.object({ article: ArticleSummary }),
});
export type ArticleWebhookEvent = z.infer<typeof ArticleWebhookEvent>;
/** The thin body: what changed and where to read it. */
export const ThinWebhookEvent = z.object({
  ...eventHead,
  resource: z.object({ type: z.enum(['ticket', 'article']), id: Id, url: z.string() }),
});
export type ThinWebhookEvent = z.infer<typeof ThinWebhookEvent>;

// ---- shapes ---------------------------------------------------------------------------------------------------

/** The last 24 hours of an endpoint. */
export const WebhookHealth = z.object({
  delivered: z.number().int(),
  failed: z.number().int(),
  pending: z.number().int(),
  /** The age of the oldest pending delivery in seconds; null if none is pending. */
  oldest_pending_seconds: z.number().nullable(),
  /** When the first of the oldest pending deliveries is tried next; null if none is pending. */
  next_attempt_at: Timestamp.nullable(),
  /** Successful attempts ÷ all attempts, 0 to 1; null without attempts. */
  success_rate: z.number().nullable(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  /** 24 hours, the oldest first. */
  hours: z.array(z.object({ hour: Timestamp, delivered: z.number().int(), failed: z.number().int() })),
});
export type WebhookHealth = z.infer<typeof WebhookHealth>;

export const WebhookEndpoint = z.object({
  id: Id,
  organization_id: Id,
  url: z.string(),
  description: z.string(),
  /** Empty: all events. */
  events: z.array(WebhookEventName),
  /** Only events of tickets that match, and none of articles; null: all. */
  condition: Condition.nullable(),
  payload: z.enum(['full', 'thin']),
  version: z.enum(webhookVersions),
  /** Whether internal notes, and changes made only by notes, are sent. */
  include_internal_notes: z.boolean(),
  state: z.enum(['active', 'paused', 'disabled']),
  /** Why the system disabled it; null otherwise. */
  disabled_reason: z.enum(['failing', 'gone']).nullable(),
  /** The time since which every attempt has failed; null after a success. */
  failing_since: Timestamp.nullable(),
  last_success_at: Timestamp.nullable(),
  /** The last four characters of the secret. */
  secret_last_four: z.string(),
  /** While the secret before the last rotation also signs. */
  previous_secret_until: Timestamp.nullable(),
  created_by: Id,
  created_at: Timestamp,
  updated_at: Timestamp,
  health: WebhookHealth,
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;
/** The secret (`whsec_…`) appears here only. */
export const IssuedWebhookEndpoint = z.object({ endpoint: WebhookEndpoint, secret: z.string() });

/** A delivery of one event to one endpoint, as in the list. */
export const WebhookDelivery = z.object({
  id: Id,
  endpoint_id: Id,
  event_id: WebhookEventId,
  event: z.enum(sentEventTypes),
  ticket_id: Id.nullable(),
  ticket_number: z.string().nullable(),
  /** `skipped`: the endpoint was paused or disabled. `cancelled`: the endpoint was deleted, or its replay was stopped. */
  state: z.enum(webhookDeliveryStates),
  cause: z.enum(['event', 'redelivery', 'replay', 'test']),
  attempts: z.number().int(),
  /** The status code of the last response; null without a response. */
  last_status: z.number().int().nullable(),
  /** Why the last attempt failed, in one sentence; null after a success. */
  last_error: z.string().nullable(),
  next_attempt_at: Timestamp.nullable(),
  delivered_at: Timestamp.nullable(),
  created_at: Timestamp,
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const Headers = z.record(z.string(), z.string());
export const WebhookAttempt = z.object({
  number: z.number().int(),
  at: Timestamp,
  /** The time from the DNS lookup to the end of the response or to the failure. */
  duration_ms: z.number(),
  status: z.number().int().nullable(),
  /** Why it failed, in one sentence: 'The certificate has expired'. */
  error: z.string().nullable(),
  remote_address: z.string().nullable(),
  request_headers: Headers,
  response_headers: Headers.nullable(),
  /** The first 2 KB. */
  response_body: z.string().nullable(),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;
export const WebhookDeliveryDetails = WebhookDelivery.extend({
  /** The exact bytes that are sent and signed. */
  body: z.string(),
  attempt_log: z.array(WebhookAttempt),
});
export type WebhookDeliveryDetails = z.infer<typeof WebhookDeliveryDetails>;

/** Events that are sent again, after the live ones. */
export const WebhookReplay = z.object({
  id: Id,
  endpoint_id: Id,
  since: Timestamp,
  until: Timestamp,
  which: z.enum(['missed', 'failed', 'all']),
  state: z.enum(['running', 'paused', 'cancelled', 'done']),
  total: z.number().int(),
  sent: z.number().int(),
  created_at: Timestamp,
});
export type WebhookReplay = z.infer<typeof WebhookReplay>;

// ---- inputs ---------------------------------------------------------------------------------------------------

/** HTTPS, or HTTP where the installation allows it. Credentials in the URL are rejected. The addresses are checked at each attempt. */
const url = requiredText(2_000, 'Enter the URL that receives the events');
const settings = {
  url,
  description: text(200),
  events: z.array(WebhookEventName).max(webhookEventTypes.length),
  condition: Condition.nullable(),
  payload: z.enum(['full', 'thin']),
  include_internal_notes: z.boolean(),
};
export const CreateWebhookEndpoint = z.strictObject({
  url,
  description: settings.description.default(''),
  events: settings.events.default([]),
  condition: settings.condition.default(null),
  payload: settings.payload.default('full'),
  include_internal_notes: settings.include_internal_notes.default(false),
});
export type CreateWebhookEndpoint = z.infer<typeof CreateWebhookEndpoint>;
/** `state: active` resumes a paused or disabled endpoint; skipped events can then be replayed. */
export const UpdateWebhookEndpoint = z
  .strictObject({ ...settings, state: z.enum(['active', 'paused']) })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change');
export type UpdateWebhookEndpoint = z.infer<typeof UpdateWebhookEndpoint>;

const DeliveryFilter = PageQuery.extend({
  state: z.enum(webhookDeliveryStates).optional(),
  event: z.enum(sentEventTypes).optional(),
  from: Timestamp.optional(),
  to: Timestamp.optional(),
}).strict();
const EndpointDeliveryFilter = DeliveryFilter.extend({ ticket_id: Id.optional() }).strict();

// ---- operations -----------------------------------------------------------------------------------------------

const byEndpoint = { params: z.object({ id: Id }) };
const byDelivery = { params: z.object({ id: Id }) };

export const listWebhookEndpoints = operation({
  name: 'notifications.listWebhookEndpoints',
  summary: 'List the webhook endpoints with the health of their last 24 hours.',
  owner,
  method: 'GET',
  path: '/webhook-endpoints',
  allow,
  token,
  output: z.array(WebhookEndpoint),
});
/** Only a session may do it, because the response contains the secret. Not idempotent by key: the stored response would contain it too. */
export const createWebhookEndpoint = operation({
  name: 'notifications.createWebhookEndpoint',
  summary: 'Create a webhook endpoint. Only this response contains its secret.',
  owner,
  method: 'POST',
  path: '/webhook-endpoints',
  allow,
  status: 201,
  input: { body: CreateWebhookEndpoint },
  output: IssuedWebhookEndpoint,
  problems: ['webhook_endpoint.too_many', 'webhook_endpoint.url_refused'],
});
export const updateWebhookEndpoint = operation({
  name: 'notifications.updateWebhookEndpoint',
  summary: 'Change, pause or resume a webhook endpoint.',
  owner,
  method: 'PATCH',
  path: '/webhook-endpoints/:id',
  allow,
  token,
  input: { ...byEndpoint, body: UpdateWebhookEndpoint },
  output: WebhookEndpoint,
  problems: ['webhook_endpoint.not_found', 'webhook_endpoint.url_refused'],
});
export const deleteWebhookEndpoint = operation({
  name: 'notifications.deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint. Its pending deliveries are cancelled.',
  owner,
  method: 'DELETE',
  path: '/webhook-endpoints/:id',
  allow,
  token,
  input: byEndpoint,
  output: z.object({}),
  problems: ['webhook_endpoint.not_found'],
});
export const rotateWebhookSecret = operation({
  name: 'notifications.rotateWebhookSecret',
  summary: 'Create a new secret. The old one also signs for the chosen time. Only this response contains the new secret.',
  owner,
  method: 'POST',
  path: '/webhook-endpoints/:id/rotate-secret',
  allow,
  input: {
    ...byEndpoint,
    body: z.strictObject({
      overlap_hours: z.number().int().min(0).max(webhookRules.secretOverlapHours).default(webhookRules.secretOverlapHours),
    }),
  },
  output: IssuedWebhookEndpoint,
  problems: ['webhook_endpoint.not_found'],
});
export const testWebhookEndpoint = operation({
  name: 'notifications.testWebhookEndpoint',
  summary: 'Send a realistic sample of an event to the endpoint, even while it is paused or disabled.',
  owner,
  method: 'POST',
  path: '/webhook-endpoints/:id/test',
  allow,
  token,
  status: 202,
  input: { ...byEndpoint, body: z.strictObject({ event: z.enum(sentEventTypes).default('webhook.test') }) },
  output: WebhookDelivery,
  problems: ['webhook_endpoint.not_found'],
});
export const listWebhookDeliveries = operation({
  name: 'notifications.listWebhookDeliveries',
  summary: 'List the deliveries to an endpoint in the last 30 days, the latest first.',
  owner,
  method: 'GET',
  path: '/webhook-endpoints/:id/deliveries',
  allow,
  token,
  input: { ...byEndpoint, query: EndpointDeliveryFilter },
  output: WebhookDelivery,
  paginated: true,
  problems: ['webhook_endpoint.not_found'],
});
export const listTicketWebhookDeliveries = operation({
  name: 'notifications.listTicketWebhookDeliveries',
  summary: 'List the deliveries of a ticket’s events to all endpoints, the latest first.',
  owner,
  method: 'GET',
  path: '/tickets/:id/webhook-deliveries',
  allow,
  token,
  input: { ...byTicket, query: DeliveryFilter },
  output: WebhookDelivery,
  paginated: true,
});
export const readWebhookDelivery = operation({
  name: 'notifications.readWebhookDelivery',
  summary: 'One delivery with its body and every attempt.',
  owner,
  method: 'GET',
  path: '/webhook-deliveries/:id',
  allow,
  token,
  input: byDelivery,
  output: WebhookDeliveryDetails,
  problems: ['webhook_delivery.not_found'],
});
export const redeliverWebhooks = operation({
  name: 'notifications.redeliverWebhooks',
  summary: 'Send up to 100 deliveries again, each with the same event id. Unknown ids change nothing and return 404.',
  owner,
  method: 'POST',
  path: '/webhook-deliveries/redeliver',
  allow,
  token,
  status: 202,
  idempotent: true,
  input: { body: z.strictObject({ ids: z.array(Id).min(1, 'Choose some deliveries first').max(100) }) },
  output: z.array(WebhookDelivery),
  problems: ['webhook_delivery.not_found', 'webhook_endpoint.not_active'],
});
export const replayWebhooks = operation({
  name: 'notifications.replayWebhooks',
  summary:
    'Send events again that happened in a period of at most 30 days: those that never arrived (`missed`), whose delivery failed, or all. `dry_run` only counts.',
  owner,
  method: 'POST',
  path: '/webhook-endpoints/:id/replay',
  allow,
  token,
  status: 202,
  idempotent: true,
  input: {
    ...byEndpoint,
    body: z.strictObject({
      since: Timestamp,
      /** Default: now. */
      until: Timestamp.optional(),
      which: z.enum(['missed', 'failed', 'all']).default('missed'),
      dry_run: z.boolean().default(false),
    }),
  },
  /** `replay` is null for a dry run, and if there is nothing to send. */
  output: z.object({ count: z.number().int(), replay: WebhookReplay.nullable() }),
  problems: ['webhook_endpoint.not_found', 'webhook_endpoint.not_active'],
});
export const listWebhookReplays = operation({
  name: 'notifications.listWebhookReplays',
  summary: 'The replays of an endpoint with their progress, the latest first.',
  owner,
  method: 'GET',
  path: '/webhook-endpoints/:id/replays',
  allow,
  token,
  input: byEndpoint,
  output: z.array(WebhookReplay),
  problems: ['webhook_endpoint.not_found'],
});
export const updateWebhookReplay = operation({
  name: 'notifications.updateWebhookReplay',
  summary: 'Pause, continue or cancel a replay.',
  owner,
  method: 'PATCH',
  path: '/webhook-replays/:id',
  allow,
  token,
  input: { params: z.object({ id: Id }), body: z.strictObject({ state: z.enum(['running', 'paused', 'cancelled']) }) },
  output: WebhookReplay,
  problems: ['webhook_replay.not_found', 'webhook_replay.finished'],
});

// ---- the same events by polling and as a stream -----------------------------------------------------------------

export const maxChanges = 1_000;
const ChangesQuery = z.strictObject({
  /** The `next` of the previous page; without it, the oldest events that are stored (30 days). `now`: no past events. */
  after: z.union([z.string().regex(/^\d{1,19}$/), z.literal('now')], 'Send the next of the previous page, or now').optional(),
  include_internal_notes: z.enum(['true', 'false']).default('false'),
});
export const listChanges = operation({
  name: 'notifications.listChanges',
  summary:
    'The public events of the organization’s tickets of the last 30 days in a fixed order, for clients that cannot receive webhooks.',
  owner,
  method: 'GET',
  path: '/changes',
  allow,
  token: 'tickets:read',
  input: { query: ChangesQuery.extend({ limit: z.coerce.number().int().min(1).max(maxChanges).default(100) }) },
  /** `next` is the value for `after`; `end_of_stream`: there are no more events for now. */
  output: z.object({
    events: z.array(WebhookEvent),
    /** The position of each event, for the stream's ids. */
    positions: z.array(z.string()),
    next: z.string(),
    end_of_stream: z.boolean(),
  }),
});
export const streamChanges = operation({
  name: 'gateway.streamChanges',
  summary: 'The same events as server-sent events, as they happen. The id of each is the value for `after`.',
  owner: 'gateway',
  method: 'GET',
  path: '/changes/stream',
  allow,
  token: 'tickets:read',
  limit: 'events',
  handwritten: true,
  input: { query: ChangesQuery },
  output: WebhookEvent,
});

// ---- events and jobs ------------------------------------------------------------------------------------------

/** An endpoint without its health, as in the audit log. */
const ChangedEndpoint = WebhookEndpoint.pick({ id: true, url: true, state: true });
/** For the audit log. Its subject is the endpoint. */
export const webhookEndpointChanged = event(
  'webhook_endpoint.changed',
  owner,
  z.object({ what: z.enum(['created', 'updated', 'secret_rotated', 'disabled', 'deleted']), endpoint: ChangedEndpoint, changes: Changes }),
  { audited: true },
);
/** A rule named an endpoint that does not exist. Its subject is the ID of the endpoint. */
export const webhookEndpointMissing = event('webhook_endpoint.missing', owner, z.object({ endpoint_id: Id }));

/** Makes the due attempts of an endpoint later, or in another process. The rows decide what is sent and when. */
export const deliverWebhook = job({
  type: 'deliver_webhook',
  owner,
  queue: 'webhook-delivery',
  data: z.object({ endpoint_id: Id }),
  attempts: 1,
  backoffMs: [],
});
/** Writes the next deliveries of a replay. */
export const continueWebhookReplay = job({
  type: 'continue_webhook_replay',
  owner,
  queue: 'webhook-replay',
  data: z.object({ replay_id: Id }),
  attempts: 5,
  backoffMs: [5_000],
});
/** Warns about failing endpoints, disables those that fail for too long, and deletes rows that are older than the retention time. */
export const checkWebhooks = job({
  type: 'check_webhooks',
  owner,
  queue: 'notifications',
  data: z.object({}),
  attempts: 3,
  backoffMs: [10_000, 60_000],
  tenant: false,
});
