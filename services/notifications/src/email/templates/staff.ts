import { dueMoment, mailServerRules, webhookRules } from '@tandem/contracts/values';
import type { DigestItem, EmailData, StaffMail, StaffSlaMail, TicketNoticeKind } from '../../schema';
import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';
import { oneLine } from '../text';
import { ruleProblem } from './rule-problem';

/** The links in an email to staff: the ticket and the notification settings. */
export interface StaffLinks {
  theme: Theme;
  link: string;
  preferences: string;
}

const settingsLink = ({ preferences }: Pick<StaffLinks, 'preferences'>) => ({
  closing: 'Manage your notifications:',
  footerLink: { label: 'Notification settings', href: preferences },
});

/** Email to a member of staff about a ticket. `label` names the text of the email, if it has any. */
function aboutTicket(
  ticket: StaffMail,
  links: StaffLinks,
  { heading, sentence, label, isNote = false }: { heading: string; sentence: string; label?: string; isNote?: boolean },
): Rendered {
  const subject = oneLine(ticket.subject, 255);
  const quote = ticket.content && label ? { label, title: subject, text: ticket.content, isNote } : undefined;
  return {
    subject: oneLine(`${heading}: ${ticket.subject}`),
    ...renderContent({
      theme: links.theme,
      preview: oneLine(ticket.content ? `${sentence} ${ticket.content}` : `${sentence} ${subject}`, 150),
      heading,
      paragraphs: [sentence, ...(quote ? [] : [`“${subject}”`])],
      ...(quote && { quote }),
      action: { label: 'Open the ticket', href: links.link },
      ...settingsLink(links),
    }),
  };
}

export const staffAssigned = (ticket: StaffMail, links: StaffLinks): Rendered =>
  aboutTicket(ticket, links, {
    heading: `${ticket.ticket_number} is assigned to you`,
    sentence: ticket.actor_name ? `${ticket.actor_name} has assigned this ticket to you.` : 'This ticket has been assigned to you.',
    label: 'Request',
  });

export const staffMention = (ticket: StaffMail, links: StaffLinks): Rendered =>
  aboutTicket(ticket, links, {
    heading: `You are mentioned in ${ticket.ticket_number}`,
    sentence: `${ticket.actor_name ?? 'A teammate'} mentioned you in this ticket.`,
    label: ticket.is_internal ? 'Internal note' : 'Reply',
    isNote: ticket.is_internal === true,
  });

export const staffCustomerReplied = (ticket: StaffMail, links: StaffLinks): Rendered =>
  aboutTicket(ticket, links, {
    heading: `New reply in ${ticket.ticket_number}`,
    sentence: `${ticket.actor_name ?? 'The customer'} has replied to this ticket.`,
    label: 'Reply',
  });

export const staffSnoozeEnded = (ticket: StaffMail, links: StaffLinks): Rendered =>
  aboutTicket(ticket, links, { heading: `${ticket.ticket_number} is back from snooze`, sentence: 'The snooze of this ticket has ended.' });

export const staffDeliveryFailed = (ticket: StaffMail, links: StaffLinks): Rendered =>
  aboutTicket(ticket, links, {
    heading: `We couldn’t deliver an email for ${ticket.ticket_number}`,
    sentence: 'See details and retry on the ticket’s page.',
  });

/** Email to an admin when the sync with the task tool needs attention before it can continue. */
export const staffTaskSyncFailed = ({ message }: EmailData['staff_task_sync_failed'], links: StaffLinks): Rendered => ({
  subject: 'Your integration needs attention',
  ...renderContent({
    theme: links.theme,
    heading: 'Your integration needs attention',
    paragraphs: [oneLine(message, 500)],
    action: { label: 'Open the integration', href: links.link },
    ...settingsLink(links),
  }),
});

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const minute = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Email to an admin: the DNS record of the custom domain is missing. */
export const staffCustomDomainLapsed = (
  { domain, record, missing_since, releases_at }: EmailData['staff_custom_domain_lapsed'],
  links: StaffLinks,
): Rendered => ({
  subject: `The DNS record of ${domain} is missing`,
  ...renderContent({
    theme: links.theme,
    heading: `The DNS record of ${domain} is missing`,
    paragraphs: [
      `The TXT record of your custom domain has been missing since ${day.format(new Date(missing_since))}. Until you restore it, links to your portal use your subdomain.`,
      `Add this record at your DNS provider: ${record.name} with the value ${record.value}`,
      `The domain stays reserved for you until ${day.format(new Date(releases_at))}. After that, you have to verify it again.`,
    ],
    action: { label: 'Open branding settings', href: links.link },
    ...settingsLink(links),
  }),
});

/** Email to an admin: the signing key of the sender domain is no longer in DNS. */
export const staffSenderDomainLapsed = ({ domain }: EmailData['staff_sender_domain_lapsed'], links: StaffLinks): Rendered => ({
  subject: `Emails no longer come from ${domain}`,
  ...renderContent({
    theme: links.theme,
    heading: `Emails no longer come from ${domain}`,
    paragraphs: [
      `The DNS record that signs your emails to customers is missing or has a different value. They now come from our domain with your name, so they still arrive.`,
      'Restore the record that the settings show. Emails come from your domain again after the next check.',
    ],
    action: { label: 'Open email settings', href: links.link },
    ...settingsLink(links),
  }),
});

/** Email to an admin: emails to customers wait, because the organization's own server does not accept them. */
export const staffMailServerFailing = ({ host, since, error }: EmailData['staff_mail_server_failing'], links: StaffLinks): Rendered => ({
  subject: 'Emails to your customers are waiting',
  ...renderContent({
    theme: links.theme,
    heading: 'Emails to your customers are waiting',
    paragraphs: [
      `Your SMTP server ${oneLine(host, 253)} has accepted no emails since ${minute.format(new Date(since))} UTC.`,
      `The last problem: ${oneLine(error, 500)}`,
      `We keep trying, and send each email once the server accepts it. After ${mailServerRules.retryDays} days, we stop trying to send an email.`,
    ],
    action: { label: 'Open email settings', href: links.link },
    ...settingsLink(links),
  }),
});

/** Email to an admin: an endpoint has failed for hours, or was disabled. */
export function staffWebhookFailing({ url, since, last_error, disabled }: EmailData['staff_webhook_failing'], links: StaffLinks): Rendered {
  const heading = disabled ? 'A webhook endpoint was disabled' : 'A webhook endpoint is failing';
  const failing = since === null ? '' : `No delivery has succeeded since ${minute.format(new Date(since))} UTC. `;
  const next = {
    gone: 'It answered 410 Gone, so we stopped sending events to it. If this was a mistake, resume it in the settings.',
    failing: `${failing}We stopped sending events to it. Fix the receiver, resume the endpoint, and recover what it missed.`,
  };
  return {
    subject: heading,
    ...renderContent({
      theme: links.theme,
      heading,
      paragraphs: [
        oneLine(url, 500),
        disabled ? next[disabled] : `${failing}We keep trying, and disable the endpoint after ${webhookRules.disableAfterHours} hours.`,
        ...(last_error === null ? [] : [`The last problem: ${oneLine(last_error, 300)}.`]),
      ],
      action: { label: 'Open the webhook settings', href: links.link },
      ...settingsLink(links),
    }),
  };
}

/** Email to an admin: a rule was turned off, cut off or paused. */
export function staffRuleFailing(data: EmailData['staff_rule_failing'], links: StaffLinks): Rendered {
  const { heading, what, next } = ruleProblem(data);
  return {
    subject: heading,
    ...renderContent({
      theme: links.theme,
      heading,
      paragraphs: [what, next],
      action: { label: 'Open the rules', href: links.link },
      ...settingsLink(links),
    }),
  };
}

/** Email to the admin who requested an export. It has no link to the archive, because emails are forwarded. */
export const staffExportReady = ({ days }: EmailData['staff_export_ready'], links: StaffLinks): Rendered => ({
  subject: 'Your export is ready',
  ...renderContent({
    theme: links.theme,
    heading: 'Your export is ready',
    paragraphs: [`The archive with all data of your organization can be downloaded for ${days} days. After that it is deleted.`],
    action: { label: 'Open the exports', href: links.link },
    ...settingsLink(links),
  }),
});

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
  return aboutTicket(ticket, links, { heading: headings[what](ticket.ticket_number), sentence });
}

const happened: Record<TicketNoticeKind, (actor: string | null, count: number) => string> = {
  assigned: (actor) => (actor ? `${actor} assigned it to you` : 'assigned to you'),
  mention: (actor) => `${actor ?? 'a teammate'} mentioned you`,
  customer_replied: (actor, count) => `${count === 1 ? 'new reply' : `${count} new replies`}${actor ? ` from ${actor}` : ''}`,
  sla_warning: () => 'due soon',
  sla_breached: () => 'missed its due time',
  escalated: () => 'escalated',
  snooze_ended: () => 'back from snooze',
  delivery_failed: () => 'undelivered email',
};

/** The events of one ticket, one line per kind and person, with the number of times. */
function eventsOf(items: DigestItem[]): string[] {
  const same = Map.groupBy(items, ({ kind, actor_name }) => `${kind} ${actor_name ?? ''}`);
  return [...same.values()].map((events) => {
    const { kind, actor_name } = events[0]!;
    return happened[kind](actor_name === null ? null : oneLine(actor_name, 80), events.length);
  });
}

/** One email that replaces many: a row for each ticket. */
export function staffDigest(
  { items, more }: EmailData['staff_digest'],
  { theme, link, preferences, linkOf }: StaffLinks & { linkOf: (item: DigestItem) => string },
): Rendered {
  const count = items.length + more;
  const heading = `${count} ${count === 1 ? 'update' : 'updates'} on your tickets`;
  const tickets = [...Map.groupBy(items, ({ ticket_id }) => ticket_id).values()];
  return {
    subject: heading,
    ...renderContent({
      theme,
      preview: oneLine(tickets.map(([first]) => `${first!.ticket_number} ${first!.subject}`).join(' · '), 150),
      heading,
      paragraphs: ['Here’s a summary of recent activity.', ...(more > 0 ? [`These are the first ${items.length} updates.`] : [])],
      tickets: tickets.map((events) => ({
        number: events[0]!.ticket_number,
        subject: oneLine(events.at(-1)!.subject, 200),
        href: linkOf(events[0]!),
        lines: eventsOf(events),
      })),
      action: { label: 'Open your tickets', href: link },
      ...settingsLink({ preferences }),
    }),
  };
}
