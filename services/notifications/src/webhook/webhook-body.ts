import {
  Ticket,
  type Actor,
  type ArticleSummary,
  type ArticleWebhookEvent,
  type Comment,
  type Changes,
  type Envelope,
  type Survey,
  type ThinWebhookEvent,
  type WebhookEvent,
} from '@tandem/contracts';
import { isArticleEvent, webhookRules, webhookVersions, type ArticleEventType, type WebhookVersion } from '@tandem/contracts/values';

/** The data of one of `publicEvents`; the event determines which members are present. */
export interface PublicEventData {
  article?: ArticleSummary;
  ticket?: Ticket | undefined;
  comment?: Comment;
  changes?: Changes;
  survey?: Survey;
  clock?: string;
  rule?: { id: string; name: string };
  into?: Ticket;
  /** `ticket.assigned`: the previous assignee. */
  from?: string | null;
}

export interface BuiltEvent {
  /** Null for an event about an article. */
  ticket: Ticket | null;
  is_internal: boolean;
  full: WebhookEvent | ArticleWebhookEvent;
  thin: ThinWebhookEvent;
}

/**
 * The version of these bodies. The header `webhook-version` contains the endpoint's version, so a second version does not compile until
 * its bodies are built here too.
 */
const version: (typeof webhookVersions)['length'] extends 1 ? WebhookVersion : never = webhookVersions[0];

export const webhookEventId = (id: string): string => `evt_${id}`;

/** Fields that an internal note changes: users who are mentioned in it become watchers. */
const noteFields = new Set(['watchers']);

/**
 * Whether an event is sent only to endpoints that include internal notes: a note, or a change that consists of what a note changed. Other
 * fields that were changed together with a note, such as the status, are visible to the customer, so that event is sent to all endpoints.
 */
export function isInternal({ comment, changes }: Pick<PublicEventData, 'comment' | 'changes'>): boolean {
  if (comment) return comment.is_internal;
  const fields = Object.keys(changes ?? {});
  return fields.length > 0 && fields.every((field) => noteFields.has(field));
}

type EventHead = Pick<Envelope, 'id' | 'type' | 'time' | 'sequence' | 'actor'>;
interface EventOrigin {
  organization_id: string;
  actor_name: string | null;
  public_url: string;
}

/** Both forms of an event's body. Undefined for an event without a ticket: `survey.submitted` of an earlier release. */
export function buildEvent(envelope: EventHead, data: PublicEventData, origin: EventOrigin): BuiltEvent | undefined {
  const { article, ticket, comment, survey, clock, rule, into } = data;
  const head = headOf(envelope, origin);
  const resourceOf = (type: 'ticket' | 'article', id: string) =>
    ({ type, id, url: `${new URL(origin.public_url).origin}/api/v1/${type}s/${id}` }) as const;
  if (article && isArticleEvent(envelope.type)) {
    const full = { ...head, event: envelope.type, data: { article } };
    return { ticket: null, is_internal: false, full, thin: { ...head, resource: resourceOf('article', article.id) } };
  }
  if (!ticket) return undefined;
  const changes = data.changes ?? (envelope.type === 'ticket.assigned' ? assignmentOf(data.from ?? null, ticket) : undefined);
  const parts = { comment, changes, survey, clock, rule, into };
  const present = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
  return {
    ticket,
    is_internal: isInternal(data),
    full: { ...head, data: { ticket, ...present } },
    thin: { ...head, resource: resourceOf('ticket', ticket.id) },
  };
}

const headOf = ({ id, type, time, sequence, actor }: EventHead, { organization_id, actor_name }: EventOrigin) => ({
  id: webhookEventId(id),
  event: type as WebhookEvent['event'],
  timestamp: time,
  organization_id,
  sequence,
  version,
  actor: { type: actor.type, id: actorId(actor), name: actor_name },
});

const assignmentOf = (from: string | null, { assigned_to }: Ticket): Changes => ({ assigned_to: { from, to: assigned_to } });

export function actorId(actor: Actor): string | null {
  if (actor.type === 'user') return actor.user_id;
  return actor.type === 'token' ? actor.token_id : null;
}

/** Bodies that are too large for most receivers are sent in the thin form. */
export const isTooLarge = (body: string): boolean => Buffer.byteLength(body) > webhookRules.maxBodyBytes;

/** The body of a test event: realistic, and the same shape as the real one. */
export function sampleEvent(
  type: WebhookEvent['event'],
  { id, organization_id, now, actor }: { id: string; organization_id: string; now: string; actor: WebhookEvent['actor'] },
  public_url: string,
): BuiltEvent {
  const ticket = sampleTicket(organization_id, now);
  const data = isArticleEvent(type) ? { article: sampleArticle(type, now) } : { ticket, ...partsOf(type, ticket, now) };
  const origin = { organization_id, actor_name: null, public_url };
  const built = buildEvent({ id, type, time: now, sequence: 1, actor: { type: 'system' } }, data, origin)!;
  return { ...built, full: { ...built.full, actor }, thin: { ...built.thin, actor } };
}

const sampleTicketId = '01980000-0000-7000-8000-000000000001';
const sampleMemberId = '01980000-0000-7000-8000-00000000000a';

const sampleTicket = (organization_id: string, now: string): Ticket =>
  Ticket.parse({
    id: sampleTicketId,
    organization_id,
    ticket_number: 'SAMPLE-0001',
    subject: 'The parcel arrived damaged',
    description: 'The box was open, and one of the two cups is broken. Can you send a new one?',
    status: 'open',
    priority: 'high',
    category: 'Delivery',
    tags: ['parcel', 'sample'],
    channel: 'email',
    imported_at: null,
    customer_name: 'Ada Byron',
    customer_email: 'ada@example.com',
    assigned_to: sampleMemberId,
    assignee: { user_id: sampleMemberId, first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' },
    comment_count: 1,
    clickup_task_id: null,
    created_at: now,
    updated_at: now,
    resolved_at: null,
    version: 2,
  });

function partsOf(type: WebhookEvent['event'], ticket: Ticket, now: string): PublicEventData {
  switch (type) {
    case 'ticket.updated':
      return { changes: { priority: { from: 'medium', to: ticket.priority } } };
    case 'ticket.assigned':
      return { from: null };
    case 'ticket.comment.added':
      return { comment: sampleComment(ticket.id, now) };
    case 'ticket.resolved':
      return { ticket: { ...ticket, status: 'resolved', resolved_at: now } };
    case 'ticket.closed':
      return { ticket: { ...ticket, status: 'closed' } };
    case 'ticket.reopened':
      return { ticket: { ...ticket, reopen_count: 1 } };
    case 'ticket.merged':
      return { ticket: { ...ticket, status: 'closed', merged_into_id: intoOf(ticket).id }, into: intoOf(ticket) };
    case 'ticket.sla.warning':
      return { clock: 'response', ticket: { ...ticket, response_due_at: now, next_due_at: now } };
    case 'ticket.sla.breached':
      return { clock: 'resolution', ticket: { ...ticket, resolution_due_at: now, sla_breached_at: now } };
    case 'ticket.escalated':
      return { ticket: { ...ticket, escalated_at: now } };
    case 'ticket.rule.ran':
      return { rule: { id: '01980000-0000-7000-8000-0000000000e1', name: 'Damaged parcels to the warehouse' } };
    case 'survey.submitted':
      return {
        survey: {
          ticket_id: ticket.id,
          customer_email: ticket.customer_email,
          rating: 5,
          feedback: 'Quick and friendly.',
          created_at: now,
        },
      };
    default:
      return {};
  }
}

const intoOf = (ticket: Ticket): Ticket => ({ ...ticket, id: '01980000-0000-7000-8000-000000000002', ticket_number: 'SAMPLE-0002' });

const sampleArticle = (type: ArticleEventType, now: string): ArticleSummary => {
  const isPublished = type === 'article.published';
  return {
    id: '01980000-0000-7000-8000-0000000000d1',
    number: 12,
    title: 'What to do about damaged parcels',
    summary: 'Send us a photo, and we replace the contents.',
    language: 'en',
    category_id: null,
    visibility: 'public',
    state: isPublished ? 'published' : 'draft',
    has_unpublished_changes: false,
    published_title: isPublished ? 'What to do about damaged parcels' : null,
    published_at: isPublished ? now : null,
    updated_at: now,
    updated_by: sampleMemberId,
    deleted_at: null,
  };
};

const sampleComment = (ticket_id: string, created_at: string): Comment => ({
  id: '01980000-0000-7000-8000-0000000000c1',
  ticket_id,
  content: 'A new cup is on its way to you.',
  is_internal: false,
  is_from_customer: false,
  user_id: sampleMemberId,
  customer_email: null,
  author: { first_name: 'Grace', last_name: 'Hopper' },
  token: null,
  rule: null,
  tool_author: null,
  imported_author: null,
  mentions: [],
  attachments: [],
  has_original: false,
  email_proof: null,
  merged_from_id: null,
  created_at,
});
