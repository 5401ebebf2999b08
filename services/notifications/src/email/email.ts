import { createHmac } from 'node:crypto';

/**
 * The base address of an organization's public pages: its subdomain put before the host of PUBLIC_URL.
 * Links never use a host that a request brought along.
 */
export function portalUrl(publicUrl: string, subdomain: string | null): string {
  const url = new URL(publicUrl);
  return subdomain ? `${url.protocol}//${subdomain}.${url.host}` : url.origin;
}

/** The page on which a customer follows a ticket (spec part 2, section 2). */
export const ticketStatusUrl = (base: string, ticket_id: string, customer_email: string) =>
  `${base}/ticket-status/${ticket_id}?email=${encodeURIComponent(customer_email)}`;

/**
 * `Message-ID` of a mail (RFC 5322): the same at every attempt, so that a repeat after a crash is recognizable,
 * and with a keyed part, so that nobody can guess the id of a mail and post into its thread.
 */
export function messageId(email_id: string, domain: string, key: string): string {
  const mac = createHmac('sha256', key).update(`message-id:${email_id}`).digest('hex').slice(0, 16);
  return `<t.${email_id}.${mac}@${domain}>`;
}

/** A mail that was claimed this long ago without an outcome belongs to a dead worker: longer than every SMTP time-out together. */
export const claimSeconds = 45;

/** SMTP answers from 500 are final (RFC 5321, 4.2.1): no repeat will change the other side's mind. */
export const isFinalAnswer = (error: unknown): boolean => {
  const code = (error as { responseCode?: unknown } | null)?.responseCode;
  return typeof code === 'number' && code >= 500;
};

/**
 * `Auto-Submitted` (RFC 3834): what goes to staff was asked for by nobody in particular; the rest answers something that its reader did.
 * Either way nobody's out-of-office may answer it.
 */
export const autoSubmitted = (kind: string): string => (kind.startsWith('staff_') ? 'auto-generated' : 'auto-replied');
