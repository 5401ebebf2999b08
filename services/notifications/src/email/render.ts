import type { Branding } from '@tandem/contracts';
import { portalOrigin } from '@tandem/platform';
import type { EmailData, EmailKind, StaffMail } from '../schema';
import { surveyUrl, ticketStatusUrl } from './email';
import { organizationLook, type Look } from './look';
import { accountChanged } from './templates/account-changed';
import { accountExists } from './templates/account-exists';
import { confirmEmail } from './templates/confirm-email';
import { confirmEmailChange } from './templates/confirm-email-change';
import {
  replyRefused,
  surveyInvitation,
  ticketCreated,
  ticketReply,
  ticketResolved,
  ticketWaiting,
  type CustomerLinks,
} from './templates/customer';
import { invitation } from './templates/invitation';
import { passwordReset } from './templates/password-reset';
import {
  staffAssigned,
  staffCustomDomainLapsed,
  staffCustomerReplied,
  staffDeliveryFailed,
  staffDigest,
  staffMention,
  staffSla,
  staffTaskSyncFailed,
  type StaffLinks,
} from './templates/staff';
import { ticketLinks } from './templates/ticket-links';
import { oneLine } from './words';

export interface Rendered {
  subject: string;
  text: string;
  html: string;
}

/** What every mail needs in addition to its own data. */
export interface Letterhead {
  public_url: string;
  /** Null for mails of the product itself. `support` is the organization's support address. */
  organization: { name: string; subdomain: string | null; support: string; branding: Branding | null } | null;
  to_address: string;
  /** The subject of the customer's latest mail on the ticket, if any. */
  thread_subject: string | null;
  /** Opens a sealed value of the mail's data that was sealed for this purpose. */
  open: (purpose: string, sealed: string) => string;
}

type Renderers = { [K in EmailKind]: (data: EmailData[K], head: Letterhead) => Rendered };

/** The organization's name as one line: it may contain any characters. */
const senderOf = (head: Letterhead): string => (head.organization && oneLine(head.organization.name)) || 'Tandem';

/** The organization's portal. Links never use the host of a request. */
function portalOf({ public_url, organization }: Letterhead): string {
  const branding = organization?.branding;
  const custom_domain = branding?.custom_domain_verified ? branding.custom_domain : null;
  return portalOrigin(public_url, { subdomain: organization?.subdomain ?? null, custom_domain });
}
const ticketLink = (head: Letterhead, ticket_id: string): string => ticketStatusUrl(portalOf(head), ticket_id, head.to_address);

const lookOf = (head: Letterhead): Look => organizationLook(senderOf(head), head.organization?.branding ?? null, head.public_url);

/**
 * Uses the thread's subject only if `by_mail` is set in the mail's own data: on other tickets, another person's mail has a different
 * subject.
 */
const customerLinks = (head: Letterhead, { ticket_id, by_mail }: { ticket_id: string; by_mail?: boolean }): CustomerLinks => ({
  look: lookOf(head),
  ticket: ticketLink(head, ticket_id),
  survey: surveyUrl(portalOf(head), ticket_id, head.to_address),
  submit: `${portalOf(head)}/submit-ticket`,
  support: head.organization?.support ?? '',
  thread_subject: by_mail ? head.thread_subject : null,
});

/** A page of the product itself. Never uses the host of a request. */
const pageOf = (head: Letterhead, path: string): string => `${new URL(head.public_url).origin}${path}`;

const staffLinks = (head: Letterhead, { ticket_id }: StaffMail): StaffLinks => staffPage(head, `/tickets/${ticket_id}`);
const staffPage = (head: Letterhead, path: string): StaffLinks => ({
  sender: senderOf(head),
  link: pageOf(head, path),
  preferences: pageOf(head, '/account#notifications'),
});

/** The URL of a page that needs the mail's token. */
function tokenLink(head: Letterhead, path: string, purpose: string, { sealed_token }: { sealed_token?: string }): string {
  if (!sealed_token) throw new Error('The token of this mail is gone: it was sent before');
  return pageOf(head, `${path}?token=${encodeURIComponent(head.open(purpose, sealed_token))}`);
}

const renderers: Renderers = {
  ticket_created: (ticket, head) => ticketCreated(ticket, customerLinks(head, ticket)),
  ticket_reply: (reply, head) => ticketReply(reply, customerLinks(head, reply)),
  ticket_waiting: (ticket, head) => ticketWaiting(ticket, customerLinks(head, ticket)),
  ticket_resolved: (ticket, head) => ticketResolved(ticket, customerLinks(head, ticket)),
  survey_invitation: (ticket, head) => surveyInvitation(ticket, customerLinks(head, ticket)),
  reply_refused: (refused, head) => replyRefused(refused, customerLinks(head, refused)),
  ticket_links: ({ tickets }, head) =>
    ticketLinks({ look: lookOf(head), tickets: tickets.map((ticket) => ({ ...ticket, link: ticketLink(head, ticket.id) })) }),
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
  staff_task_sync_failed: (data, head) => staffTaskSyncFailed(data, staffPage(head, '/integration')),
  staff_custom_domain_lapsed: (data, head) => staffCustomDomainLapsed(data, staffPage(head, '/settings?tab=branding')),
  staff_sla: (ticket, head) => staffSla(ticket, staffLinks(head, ticket)),
  staff_digest: (digest, head) =>
    staffDigest(digest, {
      sender: senderOf(head),
      preferences: pageOf(head, '/account#notifications'),
      linkOf: ({ ticket_id }) => pageOf(head, `/tickets/${ticket_id}`),
    }),
};

/**
 * Renders subject, text and HTML of a mail. All text from people is escaped. The subject of a mail to the outside contains only the ticket
 * number, in an invitation the organization's name, and for a customer their own subject; mails to staff also have the ticket's subject.
 */
export const render = <K extends EmailKind>(kind: K, data: EmailData[K], head: Letterhead): Rendered => renderers[kind](data, head);
