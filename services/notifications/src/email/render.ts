import type { EmailData, EmailKind, StaffMail } from '../schema';
import { portalUrl, ticketStatusUrl } from './email';
import { accountChanged } from './templates/account-changed';
import { accountExists } from './templates/account-exists';
import { confirmEmail } from './templates/confirm-email';
import { confirmEmailChange } from './templates/confirm-email-change';
import { invitation } from './templates/invitation';
import { passwordReset } from './templates/password-reset';
import { staffAssigned, staffCustomerReplied, staffDeliveryFailed, staffMention, staffSla, type StaffLinks } from './templates/staff';
import { ticketCreated } from './templates/ticket-created';
import { ticketLinks } from './templates/ticket-links';

export interface Rendered {
  subject: string;
  text: string;
  html: string;
}

/** What a mail is made of, beside its own data. */
export interface Letterhead {
  public_url: string;
  /** Null for mails of the product itself. */
  organization: { name: string; subdomain: string | null } | null;
  to_address: string;
  /** Opens a sealed value of the mail's data, which was sealed for this purpose. */
  open: (purpose: string, sealed: string) => string;
}

type Renderers = { [K in EmailKind]: (data: EmailData[K], head: Letterhead) => Rendered };

const senderOf = (head: Letterhead): string => head.organization?.name ?? 'Tandem';

/** A link of an organization's public pages. */
const ticketLink = (head: Letterhead, ticket_id: string): string =>
  ticketStatusUrl(portalUrl(head.public_url, head.organization?.subdomain ?? null), ticket_id, head.to_address);

/** A page of the product itself: never of a host that a request named. */
const pageOf = (head: Letterhead, path: string): string => `${new URL(head.public_url).origin}${path}`;

const staffLinks = (head: Letterhead, { ticket_id }: StaffMail): StaffLinks => ({
  sender: senderOf(head),
  link: pageOf(head, `/tickets/${ticket_id}`),
  preferences: pageOf(head, '/account#notifications'),
});

/** A page that is opened with the mail's token. */
function tokenLink(head: Letterhead, path: string, purpose: string, { sealed_token }: { sealed_token?: string }): string {
  if (!sealed_token) throw new Error('The token of this mail is gone: it was sent before');
  return pageOf(head, `${path}?token=${encodeURIComponent(head.open(purpose, sealed_token))}`);
}

const renderers: Renderers = {
  ticket_created: (ticket, head) => ticketCreated({ ...ticket, sender: senderOf(head), link: ticketLink(head, ticket.ticket_id) }),
  ticket_links: ({ tickets }, head) =>
    ticketLinks({ sender: senderOf(head), tickets: tickets.map((ticket) => ({ ...ticket, link: ticketLink(head, ticket.id) })) }),
  confirm_email: (data, head) => confirmEmail({ ...data, link: tokenLink(head, '/auth/confirm', 'email-confirmation', data) }),
  account_exists: (data, head) => accountExists({ ...data, link: pageOf(head, '/auth') }),
  password_reset: (data, head) => passwordReset({ ...data, link: tokenLink(head, '/auth/reset-password', 'password-reset', data) }),
  confirm_email_change: (data, head) =>
    confirmEmailChange({ ...data, link: tokenLink(head, '/auth/confirm-email-change', 'email-change', data) }),
  account_changed: (data, head) => accountChanged({ ...data, link: pageOf(head, '/auth/forgot-password') }),
  invitation: (data, head) =>
    invitation({ ...data, organization_name: senderOf(head), link: tokenLink(head, '/accept-invitation', 'invitation', data) }),
  staff_assigned: (ticket, head) => staffAssigned(ticket, staffLinks(head, ticket)),
  staff_mention: (ticket, head) => staffMention(ticket, staffLinks(head, ticket)),
  staff_customer_replied: (ticket, head) => staffCustomerReplied(ticket, staffLinks(head, ticket)),
  staff_delivery_failed: (ticket, head) => staffDeliveryFailed(ticket, staffLinks(head, ticket)),
  staff_sla: (ticket, head) => staffSla(ticket, staffLinks(head, ticket)),
};

/**
 * Subject, text and HTML of a mail. Everything a person typed is escaped. The subject of what goes outside carries nothing of it but a
 * ticket's number, and the organization's name in an invitation; to staff it also says the ticket's subject.
 */
export function render<K extends EmailKind>(kind: K, data: EmailData[K], head: Letterhead): Rendered {
  return renderers[kind](data, head);
}
