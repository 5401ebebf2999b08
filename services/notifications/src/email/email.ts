import type { EmailKind } from '../schema';

/** The page on which a customer follows a ticket (spec part 2, section 2). */
export const ticketStatusUrl = (base: string, ticket_id: string, customer_email: string) =>
  `${base}/ticket-status/${ticket_id}?email=${encodeURIComponent(customer_email)}`;

/** The page on which a customer says what they thought of it. */
export const surveyUrl = (base: string, ticket_id: string, customer_email: string) =>
  `${base}/survey/${ticket_id}?email=${encodeURIComponent(customer_email)}`;

/** Mails about one ticket to its customer: what its delivery log lists, and what comes from the organization's own address. */
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

/** A mail that was claimed this long ago without an outcome belongs to a dead worker: longer than every SMTP time-out together. */
export const claimSeconds = 45;

/** SMTP answers from 500 are final (RFC 5321, 4.2.1): no repeat will change the other side's mind. */
export const isFinalAnswer = (error: unknown): boolean => {
  const code = (error as { responseCode?: unknown } | null)?.responseCode;
  return typeof code === 'number' && code >= 500;
};

const answers: EmailKind[] = ['ticket_created', 'reply_refused', 'ticket_links'];

/**
 * `Auto-Submitted` (RFC 3834): `auto-replied` answers something that its reader did, `auto-generated` was asked for by nobody in particular,
 * and what an agent wrote is no automatic mail: an out-of-office may answer it.
 */
export function autoSubmitted(kind: EmailKind): 'auto-replied' | 'auto-generated' | null {
  if (kind === 'ticket_reply') return null;
  return answers.includes(kind) || !(kind.startsWith('staff_') || isAboutTicket(kind)) ? 'auto-replied' : 'auto-generated';
}

/** What the events of a mail are about: its ticket, so that only whoever looks at that ticket reads its delivery log again; else itself. */
export const subjectOf = ({ id, ticket_id }: { id: string; ticket_id: string | null }): string => ticket_id ?? id;
