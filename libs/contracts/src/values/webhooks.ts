/** Events that a webhook endpoint can subscribe to, with their labels. */
export const webhookEventLabels = {
  'ticket.created': 'A ticket was created',
  'ticket.updated': 'A field of a ticket changed',
  'ticket.comment.added': 'A comment was added',
  'ticket.assigned': 'The assignee changed',
  'ticket.resolved': 'A ticket was resolved',
  'ticket.closed': 'A ticket was closed',
  'ticket.reopened': 'A ticket was reopened',
  'ticket.merged': 'A duplicate was merged into another ticket',
  'ticket.sla.warning': 'A due time is near',
  'ticket.sla.breached': 'A due time was missed',
  'ticket.escalated': 'A ticket was escalated',
  'survey.submitted': 'A customer answered the survey',
  'article.published': 'An article, or a new version of one, was published',
  'article.unpublished': 'An article was unpublished, deleted or made internal',
} as const satisfies Record<string, string>;
export type WebhookEventType = keyof typeof webhookEventLabels;
export const webhookEventTypes = Object.keys(webhookEventLabels) as [WebhookEventType, ...WebhookEventType[]];

/**
 * Everything that is sent, with its label. `ticket.rule.ran` is sent only to the endpoint that the rule names, even if the endpoint does
 * not subscribe to it, and `webhook.test` only when a user asks for it.
 */
export const sentEventLabels = {
  ...webhookEventLabels,
  'ticket.rule.ran': 'A rule sent a ticket to this endpoint',
  'webhook.test': 'A test, sent on request',
} as const;
export type SentEventType = keyof typeof sentEventLabels;
export const ruleEventType = 'ticket.rule.ran' satisfies SentEventType;
export const sentEventTypes = Object.keys(sentEventLabels) as [SentEventType, ...SentEventType[]];

/** Events about articles instead of tickets: with another body, and not in the feed of changes, which tokens for tickets can read. */
export const articleEventTypes = ['article.published', 'article.unpublished'] as const satisfies readonly WebhookEventType[];
export type ArticleEventType = (typeof articleEventTypes)[number];
export const isArticleEvent = (type: string): type is ArticleEventType => (articleEventTypes as readonly string[]).includes(type);

/** Dated versions of the body; a breaking change to the body adds one, and endpoints keep theirs. */
export const webhookVersions = ['2026-11-23'] as const;
export type WebhookVersion = (typeof webhookVersions)[number];

export const webhookRules = {
  maxEndpoints: 25,
  /** Deliveries per minute and endpoint; the excess waits (docs/product-rules.md#limits). */
  perMinute: 500,
  /** Concurrent deliveries per endpoint; 1 after 429, 502, 503 or 504 until the next success. */
  concurrency: 5,
  timeoutMs: 15_000,
  /** Bytes of a response body that are stored. */
  responseBytes: 2_048,
  /** Bytes above which a body is sent in its thin form. */
  maxBodyBytes: 262_144,
  /**
   * The minimum delay before each attempt, in seconds: 12 attempts within 76 hours. A random 0 to 10 % is added.
   */
  delaysSeconds: [0, 5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  /** The longest delay that `Retry-After` can request. */
  maxRetryAfterSeconds: 86_400,
  /** Hours without a success, while deliveries fail, after which admins are warned, and after which the endpoint is disabled. */
  warnAfterHours: [1, 24, 72],
  disableAfterHours: 120,
  /** How long the old secret also signs after a rotation: the default, and the maximum. */
  secretOverlapHours: 24,
  /** How long events and deliveries are kept. */
  retentionDays: 30,
} as const;

export const webhookDeliveryStates = ['pending', 'delivered', 'failed', 'skipped', 'cancelled'] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];
