import * as z from 'zod';
import { event, job, operation } from './define';
import { PageQuery } from './pagination';
import { Id, requiredText, text, Timestamp } from './scalars';
import { SenderChecks } from './sender-checks';
import { byTicket, CustomerLanguage } from './tickets';

const owner = 'tickets';

// ---- shapes ---------------------------------------------------------------------------------------------------

/**
 * The result of processing an email:
 * - `ticket`, `comment`: it opened a ticket, or was added to one as a message from the customer;
 * - `note`: it became an internal note: its sender is not known on the ticket, or it is an automatic reply to a merged or locked one;
 * - `bounce`: it reported that an email from Tandem was not delivered;
 * - `ignored`: automatic, our own, a loop, or a repeat; `refused`: malformed, too large, too many, or a locked ticket; `reason` is the cause.
 */
export const inboundOutcomes = ['ticket', 'comment', 'note', 'bounce', 'ignored', 'refused'] as const;
export const InboundMail = z.object({
  id: Id,
  from_address: z.string().nullable(),
  to_address: z.string(),
  subject: z.string().nullable(),
  size: z.number().int(),
  /** Null while the email is pending. */
  outcome: z.enum(inboundOutcomes).nullable(),
  reason: z.string().nullable(),
  /** Null while the email is pending, and if it was refused before it was parsed. */
  checks: SenderChecks.nullable().default(null),
  ticket_id: Id.nullable(),
  received_at: Timestamp,
});
export type InboundMail = z.infer<typeof InboundMail>;

/** An external mailbox whose unseen emails are fetched by IMAP. The password is write-only. */
export const Mailbox = z.object({
  host: z.string(),
  port: z.number().int(),
  username: z.string(),
  folder: z.string(),
  is_active: z.boolean(),
  last_polled_at: Timestamp.nullable(),
  /** Why the last poll failed; null if it succeeded. */
  last_error: z.string().nullable(),
});
export type Mailbox = z.infer<typeof Mailbox>;
export const SaveMailbox = z.strictObject({
  host: requiredText(253, 'Enter the IMAP server'),
  port: z.number().int().min(1).max(65_535).default(993),
  username: requiredText(254, 'Enter the user name'),
  /** Omitted: the stored password is kept. */
  password: z.string().min(1, 'Enter the password').max(1_000).optional(),
  folder: text(200).default('INBOX'),
  is_active: z.boolean().default(true),
});

/** The parts of an email that are not in the conversation: the quoted text that was cut, and the email's HTML. */
export const OriginalMail = z.object({
  from: z.string().nullable(),
  subject: z.string().nullable(),
  sent_at: Timestamp.nullable(),
  text: z.string(),
  quoted_text: z.string().nullable(),
  /** Sanitized: loads no external resources except images, whose URLs are in `data-src`. For a sandboxed frame. */
  html: z.string().nullable(),
});
export type OriginalMail = z.infer<typeof OriginalMail>;

// ---- operations -----------------------------------------------------------------------------------------------

export const readMailIn = operation({
  name: 'tickets.readMailIn',
  summary: 'Read the address at which the organization receives email, and its connected mailbox.',
  owner,
  method: 'GET',
  path: '/mail-in',
  allow: 'organization.write',
  output: z.object({ address: z.string(), mailbox: Mailbox.nullable() }),
});
export const saveMailbox = operation({
  name: 'tickets.saveMailbox',
  summary: 'Connect a mailbox, or change the connection; the connection is tested first.',
  owner,
  method: 'PUT',
  path: '/mail-in/mailbox',
  allow: 'organization.write',
  input: { body: SaveMailbox },
  output: Mailbox,
  problems: ['mailbox.unreachable'],
});
export const deleteMailbox = operation({
  name: 'tickets.deleteMailbox',
  summary: 'Disconnect the mailbox.',
  owner,
  method: 'DELETE',
  path: '/mail-in/mailbox',
  allow: 'organization.write',
  output: z.object({}),
  problems: ['mailbox.not_connected'],
});
export const listInboundMails = operation({
  name: 'tickets.listInboundMails',
  summary: 'Incoming emails and their results, newest first; kept for 30 days.',
  owner,
  method: 'GET',
  path: '/mail-in/mails',
  allow: 'organization.write',
  input: { query: PageQuery.extend({ outcome: z.enum(inboundOutcomes).optional() }).strict() },
  output: InboundMail,
  paginated: true,
});
export const readOriginalMail = operation({
  name: 'tickets.readOriginalMail',
  summary: 'The email that created a ticket or one of its comments.',
  owner,
  method: 'GET',
  path: '/tickets/:id/original',
  allow: 'ticket.read',
  input: { ...byTicket, query: z.strictObject({ comment_id: Id.optional() }) },
  output: OriginalMail,
  problems: ['ticket.not_found', 'email.not_found'],
});

/** `readOriginalMail` as a separate page, because its content security policy depends on the reader's choice to show pictures. */
export const readMailPage = operation({
  name: 'gateway.readMailPage',
  summary: 'An email as it was sent, for a sandboxed frame: without scripts, and without external images unless `pictures` is set.',
  owner: 'gateway',
  method: 'GET',
  path: '/tickets/:id/original/page',
  allow: 'ticket.read',
  handwritten: true,
  input: { ...readOriginalMail.input, query: readOriginalMail.input.query.extend({ pictures: z.literal('true').optional() }) },
  output: z.string(),
  problems: readOriginalMail.problems,
});

// ---- events and jobs ------------------------------------------------------------------------------------------

/** A customer's email was added to a ticket: our replies reference it in `In-Reply-To` and `References`. Its subject is the ticket. */
export const mailReceived = event(
  'mail.received',
  owner,
  z.object({
    ticket_id: Id,
    comment_id: Id.nullable(),
    message_id: z.string(),
    references: z.array(z.string()).max(50),
    subject: z.string().nullable(),
  }),
);
/** An email from Tandem has bounced. The event's subject is that email. */
export const mailBounced = event(
  'mail.bounced',
  owner,
  z.object({
    email_id: Id,
    address: z.string().nullable(),
    /** The address does not accept email. */
    permanent: z.boolean(),
    /** The other server gave this email up, even if the cause is temporary, such as a full mailbox. */
    is_final: z.boolean().default(false),
    status: z.string().nullable(),
    diagnostic: z.string().nullable(),
  }),
);
/** A customer's reply to a ticket that accepts no replies was rejected, and the customer is notified. Its subject is the ticket. */
export const mailRefused = event(
  'mail.refused',
  owner,
  z.object({
    ticket_id: Id,
    ticket_number: z.string(),
    email: z.string(),
    message_id: z.string().nullable(),
    language: CustomerLanguage.nullable().default(null),
  }),
);

/** For the organization's audit log. Its subject is the mailbox. */
export const mailboxChanged = event(
  'mailbox.changed',
  owner,
  z.object({ what: z.enum(['connected', 'disconnected']), username: z.string(), host: z.string() }),
  { audited: true },
);

/** Processes one email; its row in `inbound_mails` is the source of truth. */
export const processInboundMail = job({
  type: 'process_inbound_mail',
  owner,
  queue: 'mail-in',
  data: z.object({ inbound_id: Id }),
  attempts: 8,
  backoffMs: [2_000, 5_000, 15_000, 60_000, 300_000],
});
/** Fetches unseen emails; if fetching fails, they stay unseen and are fetched at the next poll. */
export const pollMailbox = job({
  type: 'poll_mailbox',
  owner,
  queue: 'mail-in-poll',
  data: z.object({ mailbox_id: Id }),
  attempts: 1,
  backoffMs: [60_000],
});
/** Deletes incoming emails after their retention time. */
export const pruneInboundMails = job({
  type: 'prune_inbound_mails',
  owner,
  queue: 'mail-in-prune',
  data: z.object({}),
  attempts: 3,
  backoffMs: [10_000, 60_000],
  tenant: false,
});
