import {
  ArticleSummary,
  isArticleEvent,
  ruleEventType,
  sentEventLabels,
  sentEventTypes,
  webhookVersions,
  type Article,
  type ArticleEventType,
  type ArticleWebhookEvent,
  type Comment,
  type SentEventType,
  type Ticket,
  type WebhookEvent,
} from '@tandem/contracts';
import { exampleOf } from './examples';
import type { Json } from './schemas';

const descriptionOf = (event: SentEventType): string =>
  event === ruleEventType
    ? 'Sent to the webhook endpoint that a rule names, even if the endpoint does not subscribe to it.'
    : 'Sent to the webhook endpoints that subscribe to it. The order is not guaranteed: compare `sequence`.';

const headers = [
  ['webhook-id', 'Equal to `id` of the body, in every repetition'],
  ['webhook-timestamp', 'When this attempt was signed, Unix seconds'],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two, separated by a space, after a rotation',
  ],
  ['X-Tandem-Signature', '`sha256=` and the hex HMAC-SHA256 of the raw body'],
  ['X-Tandem-Event', 'Equal to `event` of the body'],
] as const;

export const webhookParameters: Record<string, Json> = Object.fromEntries(
  headers.map(([name, description]) => [
    name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    { name, in: 'header', required: true, description, schema: { type: 'string' } },
  ]),
);
export const webhookResponses: Record<string, Json> = {
  WebhookReceived: { description: 'Received. Any other status, and no response within 15 seconds, is retried for 76 hours.' },
  WebhookGone: { description: 'Disables the endpoint.' },
};

/** One entry per event, as OpenAPI 3.1 describes requests that the API sends. */
export function webhooks(ofTickets: Json, ofArticles: Json): Json {
  return Object.fromEntries(
    sentEventTypes.map((event) => [
      event,
      {
        post: {
          operationId: `receive${event.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          summary: sentEventLabels[event],
          description: descriptionOf(event),
          tags: ['Webhooks'],
          security: [],
          parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: isArticleEvent(event) ? ofArticles : ofTickets, ...exampleOfEvent(event) } },
          },
          responses: {
            '2XX': { $ref: '#/components/responses/WebhookReceived' },
            '410': { $ref: '#/components/responses/WebhookGone' },
          },
        },
      },
    ]),
  );
}

const id = (n: number) => `01932d5c-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** A realistic body of the event, made of the recorded ticket, comment and article. */
export function webhookExample(event: SentEventType): WebhookEvent | ArticleWebhookEvent | undefined {
  if (isArticleEvent(event)) return articleExample(event);
  const ticket = (exampleOf('readTicket')?.response as { data: Ticket } | undefined)?.data;
  const comment = (exampleOf('addComment')?.response as { data: Comment } | undefined)?.data;
  if (ticket === undefined || comment === undefined) return undefined;
  const changed = (change: Partial<Ticket>): WebhookEvent['data'] => ({
    ticket: { ...ticket, ...change, version: ticket.version + 1 },
    changes: Object.fromEntries(Object.entries(change).map(([field, to]) => [field, { from: ticket[field as keyof Ticket], to }])),
  });
  const data: Partial<Record<SentEventType, WebhookEvent['data']>> = {
    'ticket.updated': changed({ priority: 'urgent' }),
    'ticket.comment.added': { ticket, comment },
    'ticket.assigned': changed({ assigned_to: id(901) }),
    'ticket.resolved': changed({ status: 'resolved', resolved_at: ticket.updated_at }),
    'ticket.closed': changed({ status: 'closed' }),
    'ticket.reopened': changed({ status: 'open' }),
    'ticket.merged': {
      ticket: { ...ticket, status: 'closed', merged_into_id: id(902) },
      into: { ...ticket, id: id(902), ticket_number: 'ACM-0002' },
    },
    'ticket.sla.warning': { ticket, clock: 'response' },
    'ticket.sla.breached': { ticket: { ...ticket, sla_breached_at: ticket.updated_at }, clock: 'response' },
    'ticket.escalated': { ticket: { ...ticket, escalated_at: ticket.updated_at } },
    'ticket.rule.ran': { ticket, rule: { id: id(903), name: 'Damaged parcels to the warehouse' } },
    'survey.submitted': {
      ticket,
      survey: {
        ticket_id: ticket.id,
        customer_email: ticket.customer_email,
        rating: 5,
        feedback: 'Quick and friendly',
        created_at: ticket.updated_at,
      },
    },
  };
  return {
    ...headOfExample,
    event,
    timestamp: ticket.updated_at,
    organization_id: ticket.organization_id,
    data: data[event] ?? { ticket },
  };
}

const headOfExample = {
  id: `evt_${id(900)}`,
  sequence: 3,
  version: webhookVersions[0],
  actor: { type: 'user', id: id(901), name: 'Ada Lovelace' },
} as const;

function articleExample(event: ArticleEventType): ArticleWebhookEvent | undefined {
  const article = (exampleOf('readArticle')?.response as { data: Article } | undefined)?.data;
  if (article === undefined) return undefined;
  const data = { article: ArticleSummary.parse(article) };
  return { ...headOfExample, event, timestamp: article.updated_at, organization_id: id(1), data };
}

function exampleOfEvent(event: SentEventType): Json {
  const example = webhookExample(event);
  return example === undefined ? {} : { example };
}
