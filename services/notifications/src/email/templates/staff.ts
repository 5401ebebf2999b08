import type { StaffMail, StaffSlaMail } from '../../schema';
import type { Rendered } from '../render';
import { layout } from './layout';

/** Where the mail leads: the ticket, and what its reader may switch off. */
export interface StaffLinks {
  sender: string;
  link: string;
  preferences: string;
}

/** One line of a reasonable length, whatever a customer has typed: a ticket's subject is theirs. */
const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
};

/** To a member of staff, about a ticket. Never what was written in it: notes stay in the house, and mails go through others' hands. */
function aboutTicket(ticket: StaffMail, { sender, link, preferences }: StaffLinks, heading: string, sentence: string): Rendered {
  return {
    subject: oneLine(`${heading}: ${ticket.subject}`),
    ...layout({
      sender,
      heading,
      paragraphs: [sentence, `“${ticket.subject}”`],
      links: [{ label: 'Open the ticket', href: link }],
      closing: 'You choose what you are told, and how:',
      choice: { label: 'Notification settings', href: preferences },
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
    `${ticket.actor_name ?? 'A colleague'} has mentioned you in this ticket.`,
  );

export const staffCustomerReplied = (ticket: StaffMail, links: StaffLinks): Rendered =>
  aboutTicket(ticket, links, `New reply in ${ticket.ticket_number}`, `${ticket.actor_name ?? 'The customer'} has replied to this ticket.`);

export const staffDeliveryFailed = (ticket: StaffMail, links: StaffLinks): Rendered =>
  aboutTicket(
    ticket,
    links,
    `A mail about ${ticket.ticket_number} did not arrive`,
    'The ticket shows which one, why, and what can be done.',
  );

/** Spec part 2, section 9: en-US with short month, day, year, hour and minute. Where its reader lives is not known. */
const date = new Intl.DateTimeFormat('en-US', {
  ...{ month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' },
  timeZone: 'UTC',
});
const clockNames = { response: 'first answer', resolution: 'resolution' };

const headings = {
  sla_warning: (number: string) => `${number} is due soon`,
  sla_breached: (number: string) => `${number} has missed its due time`,
  escalated: (number: string) => `${number} has been escalated`,
};

export function staffSla(ticket: StaffSlaMail, links: StaffLinks): Rendered {
  const { what, due } = ticket;
  const verb = what === 'sla_warning' ? 'is' : 'was';
  const sentence = due
    ? `The ${clockNames[due.clock]} of this ticket ${verb} due ${date.format(new Date(due.at))} UTC.`
    : 'This ticket has been open for longer than its policy allows.';
  return aboutTicket(ticket, links, headings[what](ticket.ticket_number), sentence);
}
