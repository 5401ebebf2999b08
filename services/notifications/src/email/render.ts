import { unsubscribe, type Branding } from '@tandem/contracts';
import { portalOrigin } from '@tandem/platform';
import type { EmailData, EmailKind, StaffMail } from '../schema';
import { surveyUrl, ticketStatusUrl } from './email';
import type { EmailTexts } from './email-content';
import { englishTexts, type Rendered } from './render-content';
import { organizationTheme, productTheme, type Theme } from './theme';
import { accountChanged } from './templates/account-changed';
import { apiTokenCreated } from './templates/api-token-created';
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
  type CustomerContext,
} from './templates/customer';
import { invitation } from './templates/invitation';
import { isAboutDeletion, organizationDeletion } from './templates/organization-deletion';
import { passwordReset } from './templates/password-reset';
import { staffReport } from './templates/staff-report';
import {
  staffAssigned,
  staffCustomDomainLapsed,
  staffCustomerReplied,
  staffDeliveryFailed,
  staffSnoozeEnded,
  staffDigest,
  staffMailServerFailing,
  staffMention,
  staffExportReady,
  staffRuleFailing,
  staffSenderDomainLapsed,
  staffSla,
  staffTaskSyncFailed,
  staffWebhookFailing,
  type StaffLinks,
} from './templates/staff';
import { ticketLinks } from './templates/ticket-links';
import { oneLine } from './text';

/** The data that every email needs in addition to its own. */
export interface RenderContext {
  public_url: string;
  /** Whether the portal is on the host of `public_url`. */
  is_single_organization: boolean;
  /** Null for emails of the product itself. `support` is the organization's support address. */
  organization: { name: string; subdomain: string | null; support: string; branding: Branding | null } | null;
  to_address: string;
  /** The texts of emails to customers, in the language of the email. Default: English. */
  texts?: EmailTexts;
  /** The subject of the customer's latest email on the ticket, if any. */
  thread_subject: string | null;
  /** Opens a sealed value of the email's data that was sealed for this purpose. */
  open: (purpose: string, sealed: string) => string;
}

type Renderers = { [K in EmailKind]: (data: EmailData[K], context: RenderContext) => Rendered };

/** The organization's name as one line: it may contain any characters. */
const senderOf = (context: RenderContext): string => (context.organization && oneLine(context.organization.name)) || 'Tandem';

/** The organization's portal. Links never use the host of a request. */
function portalOf({ public_url, is_single_organization, organization }: RenderContext): string {
  const branding = organization?.branding;
  const custom_domain = branding?.custom_domain_verified ? branding.custom_domain : null;
  return portalOrigin(
    { PUBLIC_URL: public_url, SINGLE_ORGANIZATION: is_single_organization },
    { subdomain: organization?.subdomain ?? null, custom_domain },
  );
}
const ticketLink = (context: RenderContext, ticket_id: string): string => ticketStatusUrl(portalOf(context), ticket_id, context.to_address);

const textsOf = ({ texts }: RenderContext): EmailTexts => texts ?? englishTexts();
const themeOf = (context: RenderContext): Theme =>
  organizationTheme(senderOf(context), context.organization?.branding ?? null, context.public_url, textsOf(context).language);

/**
 * Uses the thread's subject only if `by_mail` is set in the email's own data: on other tickets, another person's email has a different
 * subject.
 */
const customerContext = (context: RenderContext, { ticket_id, by_mail }: { ticket_id: string; by_mail?: boolean }): CustomerContext => ({
  theme: themeOf(context),
  texts: textsOf(context),
  ticket: ticketLink(context, ticket_id),
  survey: surveyUrl(portalOf(context), ticket_id, context.to_address),
  submit: `${portalOf(context)}/submit-ticket`,
  support: context.organization?.support ?? '',
  thread_subject: by_mail ? context.thread_subject : null,
});

/** Emails about an account are from the product, those to staff from their organization; both have the product's appearance. */
const accountTheme = ({ public_url }: RenderContext): Theme => productTheme('Tandem', public_url);
const staffTheme = (context: RenderContext): Theme => productTheme(senderOf(context), context.public_url);

/** A page of the product itself. Never uses the host of a request. */
const pageOf = (context: RenderContext, path: string): string => `${new URL(context.public_url).origin}${path}`;

const staffLinks = (context: RenderContext, { ticket_id }: StaffMail): StaffLinks => staffPage(context, `/tickets/${ticket_id}`);
const staffPage = (context: RenderContext, path: string): StaffLinks => ({
  theme: staffTheme(context),
  link: pageOf(context, path),
  preferences: pageOf(context, '/account#notifications'),
});

/** The URL of a page that needs the email's token. */
function tokenLink(context: RenderContext, path: string, purpose: string, { sealed_token }: { sealed_token?: string }): string {
  if (!sealed_token) throw new Error('The token of this email was removed when it was sent');
  return pageOf(context, `${path}?token=${encodeURIComponent(context.open(purpose, sealed_token))}`);
}

const renderers: Renderers = {
  ticket_created: (ticket, context) => ticketCreated(ticket, customerContext(context, ticket)),
  ticket_reply: (reply, context) => ticketReply(reply, customerContext(context, reply)),
  ticket_waiting: (ticket, context) => ticketWaiting(ticket, customerContext(context, ticket)),
  ticket_resolved: (ticket, context) => ticketResolved(ticket, customerContext(context, ticket)),
  survey_invitation: (ticket, context) => surveyInvitation(ticket, customerContext(context, ticket)),
  reply_refused: (refused, context) => replyRefused(refused, customerContext(context, refused)),
  ticket_links: ({ tickets }, context) =>
    ticketLinks({
      theme: themeOf(context),
      texts: textsOf(context),
      tickets: tickets.map((ticket) => ({ ...ticket, link: ticketLink(context, ticket.id) })),
    }),
  confirm_email: (data, context) =>
    confirmEmail({ ...data, theme: accountTheme(context), link: tokenLink(context, '/auth/confirm', 'email-confirmation', data) }),
  account_exists: (data, context) => accountExists({ ...data, theme: accountTheme(context), link: pageOf(context, '/auth') }),
  password_reset: (data, context) =>
    passwordReset({ ...data, theme: accountTheme(context), link: tokenLink(context, '/auth/reset-password', 'password-reset', data) }),
  confirm_email_change: (data, context) =>
    confirmEmailChange({
      ...data,
      theme: accountTheme(context),
      link: tokenLink(context, '/auth/confirm-email-change', 'email-change', data),
    }),
  account_changed: ({ first_name, what, deletion }, context) =>
    isAboutDeletion(what)
      ? organizationDeletion({
          ...deletion!,
          first_name,
          what,
          theme: accountTheme(context),
          link: pageOf(context, '/settings?tab=organization'),
        })
      : accountChanged({ first_name, what, theme: accountTheme(context), link: pageOf(context, '/auth/forgot-password') }),
  invitation: (data, context) =>
    invitation({
      ...data,
      theme: accountTheme(context),
      organization_name: senderOf(context),
      link: tokenLink(context, '/accept-invitation', 'invitation', data),
    }),
  api_token_created: (data, context) => apiTokenCreated(data, { theme: staffTheme(context), link: pageOf(context, '/settings?tab=api') }),
  staff_assigned: (ticket, context) => staffAssigned(ticket, staffLinks(context, ticket)),
  staff_mention: (ticket, context) => staffMention(ticket, staffLinks(context, ticket)),
  staff_customer_replied: (ticket, context) => staffCustomerReplied(ticket, staffLinks(context, ticket)),
  staff_snooze_ended: (ticket, context) => staffSnoozeEnded(ticket, staffLinks(context, ticket)),
  staff_delivery_failed: (ticket, context) => staffDeliveryFailed(ticket, staffLinks(context, ticket)),
  staff_task_sync_failed: (data, context) => staffTaskSyncFailed(data, staffPage(context, '/integration')),
  staff_custom_domain_lapsed: (data, context) => staffCustomDomainLapsed(data, staffPage(context, '/settings?tab=branding')),
  staff_sender_domain_lapsed: (data, context) => staffSenderDomainLapsed(data, staffPage(context, '/settings?tab=email')),
  staff_mail_server_failing: (data, context) => staffMailServerFailing(data, staffPage(context, '/settings?tab=email')),
  staff_webhook_failing: (data, context) => staffWebhookFailing(data, staffPage(context, '/settings?tab=webhooks')),
  staff_rule_failing: (data, context) => staffRuleFailing(data, staffPage(context, '/settings?tab=rules')),
  staff_export_ready: (data, context) => staffExportReady(data, staffPage(context, '/settings?tab=export')),
  staff_sla: (ticket, context) => staffSla(ticket, staffLinks(context, ticket)),
  staff_report: (report, context) =>
    staffReport(report, {
      theme: staffTheme(context),
      link: pageOf(context, `/analytics?from=${report.analytics.period.from}&to=${report.analytics.period.to}`),
      unsubscribe: pageOf(context, `/api/v1${unsubscribe.path}?token=${encodeURIComponent(report.unsubscribe_token)}`),
    }),
  staff_digest: (digest, context) =>
    staffDigest(digest, {
      ...staffPage(context, '/tickets'),
      linkOf: ({ ticket_id }) => pageOf(context, `/tickets/${ticket_id}`),
    }),
};

/**
 * Renders subject, text and HTML of an email. All text from people is escaped. The subject of an email contains the ticket number and, for
 * staff and for the customer who wrote it, the ticket's subject; that of an invitation contains the organization's name.
 */
export const render = <K extends EmailKind>(kind: K, data: EmailData[K], context: RenderContext): Rendered =>
  renderers[kind](data, context);
