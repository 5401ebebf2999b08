import { dueMoment, webhookRules } from '@tandem/contracts/values';
import type { DigestItem, EmailData, StaffMail, StaffSlaMail, TicketNoticeKind } from '../../schema';
import { renderContent, type Rendered } from '../render-content';
import { productTheme } from '../theme';
import { oneLine } from '../text';

/** The links in a mail to staff: the ticket and the notification settings. */
export interface StaffLinks {
  sender: string;
  link: string;
  preferences: string;
}

/**
 * To a member of staff, about a ticket. Never includes comment text: internal notes must not leave the product, and mail passes through
 * other servers.
 */
function aboutTicket(ticket: StaffMail, { sender, link, preferences }: StaffLinks, heading: string, sentence: string): Rendered {
  return {
    subject: oneLine(`${heading}: ${ticket.subject}`),
    ...renderContent({
      theme: productTheme(sender),
      heading,
      paragraphs: [sentence, `“${oneLine(ticket.subject, 255)}”`],
      links: [{ label: 'Open the ticket', href: link }],
      closing: 'Manage your notifications:',
      footerLink: { label: 'Notification settings', href: preferences },
    }),
  };
}

export const staffAssigned = (ticket: StaffMail, links: StaffLinks): Rendered =>
  aboutTicket(
    ticket,
    links,
    `${ticket.ticket_number} is assigned to you`,
    ticket.actor_name ? `${ticket.actor_name} has assigned this ticket to you.` : 'This ticket has been assigned to you.',
  );

export const staffMention = (ticket: StaffMail, links: StaffLinks): Rendered =>
  aboutTicket(
    ticket,
    links,
    `You are mentioned in ${ticket.ticket_number}`,
    `${ticket.actor_name ?? 'A teammate'} mentioned you in this ticket.`,
  );

export const staffCustomerReplied = (ticket: StaffMail, links: StaffLinks): Rendered =>
  aboutTicket(ticket, links, `New reply in ${ticket.ticket_number}`, `${ticket.actor_name ?? 'The customer'} has replied to this ticket.`);

export const staffDeliveryFailed = (ticket: StaffMail, links: StaffLinks): Rendered =>
  aboutTicket(ticket, links, `We couldn’t deliver an email for ${ticket.ticket_number}`, 'See details and retry on the ticket’s page.');

/** To an admin when the sync with the task tool needs attention before it can continue. */
export const staffTaskSyncFailed = (
  { message }: EmailData['staff_task_sync_failed'],
  { sender, link, preferences }: StaffLinks,
): Rendered => ({
  subject: 'Your integration needs attention',
  ...renderContent({
    theme: productTheme(sender),
    heading: 'Your integration needs attention',
    paragraphs: [oneLine(message, 500)],
    links: [{ label: 'Open the integration', href: link }],
    closing: 'Manage your notifications:',
    footerLink: { label: 'Notification settings', href: preferences },
  }),
});

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const minute = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** To an admin: the DNS record of the custom domain is missing. */
export const staffCustomDomainLapsed = (
  { domain, record, missing_since, releases_at }: EmailData['staff_custom_domain_lapsed'],
  { sender, link, preferences }: StaffLinks,
): Rendered => ({
  subject: `The DNS record of ${domain} is missing`,
  ...renderContent({
    theme: productTheme(sender),
    heading: `The DNS record of ${domain} is missing`,
    paragraphs: [
      `The TXT record of your custom domain has been missing since ${day.format(new Date(missing_since))}. Until you restore it, links to your portal use your subdomain.`,
      `Add this record at your DNS provider: ${record.name} with the value ${record.value}`,
      `The domain stays reserved for you until ${day.format(new Date(releases_at))}. After that, you have to verify it again.`,
    ],
    links: [{ label: 'Open branding settings', href: link }],
    closing: 'Manage your notifications:',
    footerLink: { label: 'Notification settings', href: preferences },
  }),
});

/** To an admin: an endpoint has failed for hours, or was disabled. */
export function staffWebhookFailing(
  { url, since, last_error, disabled }: EmailData['staff_webhook_failing'],
  { sender, link, preferences }: StaffLinks,
): Rendered {
  const heading = disabled ? 'A webhook endpoint was disabled' : 'A webhook endpoint is failing';
  const failing = since === null ? '' : `No delivery has succeeded since ${minute.format(new Date(since))} UTC. `;
  const next = {
    gone: 'It answered 410 Gone, so we stopped sending events to it. If this was a mistake, resume it in the settings.',
    failing: `${failing}We stopped sending events to it. Fix the receiver, resume the endpoint, and recover what it missed.`,
  };
  return {
    subject: heading,
    ...renderContent({
      theme: productTheme(sender),
      heading,
      paragraphs: [
        oneLine(url, 500),
        disabled ? next[disabled] : `${failing}We keep trying, and disable the endpoint after ${webhookRules.disableAfterHours} hours.`,
        ...(last_error === null ? [] : [`The last problem: ${oneLine(last_error, 300)}.`]),
      ],
      links: [{ label: 'Open the webhook settings', href: link }],
      closing: 'Manage your notifications:',
      footerLink: { label: 'Notification settings', href: preferences },
    }),
  };
}

const timerNames = { response: 'first response to', resolution: 'resolution of' };

const headings = {
  sla_warning: (number: string) => `${number} is due soon`,
  sla_breached: (number: string) => `${number} has missed its due time`,
  escalated: (number: string) => `${number} has been escalated`,
};

export function staffSla(ticket: StaffSlaMail, links: StaffLinks): Rendered {
  const { what, due } = ticket;
  const verb = what === 'sla_warning' ? 'is' : 'was';
  const sentence = due
    ? `The ${timerNames[due.clock]} this ticket ${verb} due ${dueMoment(due.at, due.time_zone ?? 'UTC')}${due.counts_working_time ? ', counted in business hours' : ''}.`
    : 'This ticket has been open for longer than its policy allows.';
  return aboutTicket(ticket, links, headings[what](ticket.ticket_number), sentence);
}

const happened: Record<TicketNoticeKind, string> = {
  assigned: 'was assigned to you',
  mention: 'mentions you',
  customer_replied: 'has a new reply',
  sla_warning: 'is due soon',
  sla_breached: 'has missed its due time',
  escalated: 'has been escalated',
  delivery_failed: 'has an undelivered email',
};

/** One mail that replaces many. */
export function staffDigest(
  { items, more }: EmailData['staff_digest'],
  { sender, preferences, linkOf }: Omit<StaffLinks, 'link'> & { linkOf: (item: DigestItem) => string },
): Rendered {
  const count = items.length + more;
  const heading = `${count} ${count === 1 ? 'update' : 'updates'} on your tickets`;
  return {
    subject: heading,
    ...renderContent({
      theme: productTheme(sender),
      heading,
      paragraphs: ['Here’s a summary of recent activity.', ...(more > 0 ? [`These are the first ${items.length} updates.`] : [])],
      links: items.map((item) => ({
        label: item.ticket_number,
        href: linkOf(item),
        note: `${happened[item.kind]}: ${oneLine(item.subject)}`,
      })),
      closing: 'Manage your notifications:',
      footerLink: { label: 'Notification settings', href: preferences },
    }),
  };
}
