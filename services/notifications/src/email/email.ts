import type { EmailKind } from '../schema';

/** The page on which a customer follows a ticket. */
export const ticketStatusUrl = (base: string, ticket_id: string, customer_email: string) =>
  `${base}/ticket-status/${ticket_id}?email=${encodeURIComponent(customer_email)}`;

/** The page on which a customer rates the support on a ticket. */
export const surveyUrl = (base: string, ticket_id: string, customer_email: string) =>
  `${base}/survey/${ticket_id}?email=${encodeURIComponent(customer_email)}`;

/** Emails about one ticket to its customer: its delivery log lists them, and they are sent from the organization's own address. */
export const ticketMailKinds = [
  'ticket_created',
  'ticket_reply',
  'ticket_waiting',
  'ticket_resolved',
  'survey_invitation',
  'reply_refused',
] as const satisfies EmailKind[];
export const isAboutTicket = (kind: EmailKind): boolean => (ticketMailKinds as readonly EmailKind[]).includes(kind);
export const isForCustomers = (kind: EmailKind): boolean => kind === 'ticket_links' || isAboutTicket(kind);

/** A claim older than this without an outcome belongs to a dead worker. Longer than all SMTP timeouts together. */
export const claimSeconds = 45;

/** SMTP replies from 500 are permanent (RFC 5321, 4.2.1), so a retry would fail again. */
export const isPermanentFailure = (error: unknown): boolean => {
  const code = (error as { responseCode?: unknown } | null)?.responseCode;
  return typeof code === 'number' && code >= 500;
};

const answers: EmailKind[] = ['ticket_created', 'reply_refused', 'ticket_links'];

/**
 * The `Auto-Submitted` header (RFC 3834): `auto-replied` for a response to something that the recipient did, `auto-generated` for other
 * automatic emails. Null for an agent's reply, which is not automatic: an out-of-office message may answer it. A reply by a rule is.
 */
export function autoSubmitted(kind: EmailKind, isAutomatic = false): 'auto-replied' | 'auto-generated' | null {
  if (kind === 'ticket_reply') return isAutomatic ? 'auto-replied' : null;
  return answers.includes(kind) || !(kind.startsWith('staff_') || isAboutTicket(kind)) ? 'auto-replied' : 'auto-generated';
}

/**
 * The subject of an email's events: its ticket, so that only clients that show the ticket reload its delivery log; else the email itself.
 */
export const subjectOf = ({ id, ticket_id }: { id: string; ticket_id: string | null }): string => ticket_id ?? id;
