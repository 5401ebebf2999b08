/**
 * - `scheduled`: starts at `starts_at`; can be cancelled until then
 * - `running`: the services delete, each in several passes, because events and requests may be in transit
 * - `done`: every service has answered; the receipt is complete
 */
export const erasureStates = ['scheduled', 'running', 'done', 'cancelled'] as const;

/** What the services count in a receipt, with the names that people see. */
export const erasedKinds = {
  tickets: 'Tickets',
  comments: 'Comments',
  files: 'Files',
  surveys: 'Ratings',
  received_emails: 'Received emails',
  sent_emails: 'Sent emails',
  drafts: 'Drafts',
  notifications: 'Notifications of the team',
  webhook_events: 'Webhook events',
  task_copies: 'Copies for the task tool',
  feedback: 'Feedback in analytics',
  events: 'Stored events',
  responses: 'Stored responses',
  exports: 'Exports',
} as const;
export type ErasedKind = keyof typeof erasedKinds;

/** What an erasure cannot delete, with the sentence that people see. */
export const erasureRemains = {
  task_tool: 'Linked tasks in the task tool, with what was copied to them. Delete them there.',
  webhooks: 'What your webhook endpoints have received. Delete it in the systems that run them.',
  mailboxes: 'Emails in the mailboxes of the customer and of your team.',
  events: 'Messages between the services, which are deleted after 30 days.',
  backups: 'Backups of the installation from before the erasure, until its operator deletes them.',
  figures: 'Counts in analytics, which contain no data of the customer.',
  articles: 'Help articles that were drafted from the tickets. Names and addresses were removed when they were drafted.',
  mentions: 'Texts of other tickets, rules and views that mention the customer.',
} as const;
export type ErasureRemain = keyof typeof erasureRemains;

/** What a retention policy does with the tickets of its age. */
export const retentionActions = ['delete', 'anonymize'] as const;
export type RetentionAction = (typeof retentionActions)[number];

/**
 * What an anonymized ticket has instead of its subject and its customer's address. The domain is reserved (RFC 2606), so that the address cannot
 * receive email.
 */
export const anonymizedTicket = { subject: 'Anonymized ticket', customer_email: 'removed@anonymous.invalid' } as const;

export const privacyLimits = {
  /** How long an erasure can be delayed, in hours; it can be cancelled until then. */
  delayHours: 168,
  /** Erasures of an organization that are scheduled or running. */
  erasures: 50,
  /** Tickets that the retention job deletes or anonymizes per organization and night. */
  perNight: 2_000,
  /** Months without a change after which resolved and closed tickets are deleted or anonymized. */
  minMonths: 1,
  maxMonths: 120,
  categories: 50,
} as const;
