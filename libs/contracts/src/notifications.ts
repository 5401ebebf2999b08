import * as z from 'zod';
import { event, job, operation } from './define';
import { Id, Timestamp } from './scalars';
import { byTicket } from './tickets';

const owner = 'notifications';

/**
 * Sends one email that was not sent immediately; its row in `emails` is the source of truth. 5xx responses are final, others are retried: 8
 * attempts. `is_first`: no attempt was made before, so the email may be claimed together with others.
 */
export const sendEmail = job({
  type: 'send_email',
  owner,
  queue: 'email',
  data: z.object({ email_id: Id, is_first: z.boolean().optional() }),
  attempts: 8,
  backoffMs: [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000],
  tenant: false,
});

/** `bounced`: the mail server accepted the email, and a bounce came back later. */
export const emailStates = ['pending', 'sending', 'sent', 'failed', 'bounced'] as const;

/** An email to the customer, as shown in the delivery log of its ticket. */
export const TicketEmail = z.object({
  id: Id,
  kind: z.string(),
  to_address: z.string(),
  state: z.enum(emailStates),
  attempts: z.number().int(),
  /** Why it was not delivered, or not yet. */
  last_error: z.string().nullable(),
  created_at: Timestamp,
  sent_at: Timestamp.nullable(),
});
export type TicketEmail = z.infer<typeof TicketEmail>;

export const listTicketEmails = operation({
  name: 'notifications.listTicketEmails',
  summary: 'The latest 50 emails to the customer of a ticket with their delivery states, and whether the address bounces.',
  owner,
  method: 'GET',
  path: '/tickets/:id/emails',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: byTicket,
  output: z.object({
    emails: z.array(TicketEmail),
    /** Recipients of these emails that bounced permanently: they get no email until a user retries. */
    bounced: z.array(z.object({ address: z.string(), reason: z.string().nullable(), bounced_at: Timestamp })),
  }),
  problems: ['ticket.not_found'],
});
export const retryEmail = operation({
  name: 'notifications.retryEmail',
  summary: 'Resend an email that failed or bounced; its address is treated as valid again until the next bounce.',
  owner,
  method: 'POST',
  path: '/emails/:id/retry',
  allow: 'ticket.write',
  input: { params: z.object({ id: Id }) },
  output: TicketEmail,
  problems: ['email.not_found', 'email.not_retryable'],
});

/** Their subject is the ticket, or the email if it belongs to no ticket. */
const ofTicket = { email_id: Id, kind: z.string(), ticket_id: Id.nullable() };
export const emailDelivered = event('email.delivered', owner, z.object(ofTicket), { live: true, tenant: false });
export const emailFailed = event('email.failed', owner, z.object({ ...ofTicket, reason: z.string() }), { live: true, tenant: false });
export const emailBounced = event('email.bounced', owner, z.object({ ...ofTicket, address: z.string(), reason: z.string().nullable() }), {
  live: true,
});
