import { customerStatusLabels, replyDelimiter } from '@tandem/contracts';
import { markdownText } from '@tandem/contracts/values';
import type { CustomerMail, EmailData, ReplyMail } from '../../schema';
import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';
import { beginningOf, oneLine, withoutLinks } from '../text';

/** The links in a mail to a customer. */
export interface CustomerLinks {
  theme: Theme;
  ticket: string;
  survey: string;
  /** The page for a new ticket, and the address that opens a ticket by mail. */
  submit: string;
  support: string;
  /** The subject of the customer's own mail thread; null if the ticket did not begin by mail. */
  thread_subject: string | null;
}

/** Reply and forward prefixes that mail clients put before a subject, and our own ticket number. */
const answered = /^(?:\s*(?:re|aw|wg|fwd?|sv|vs|antw|tr|rif|odp)(?:\[\d+\])?\s*:|\s*\[[A-Z0-9-]{1,20}-\d+\])+/i;

/**
 * `[ACM-0001] …`. Without a thread the subject has no text from outside, because an open form could otherwise send any text to any address.
 * In a thread that the customer began by mail, it repeats their subject so that mail clients group the conversation.
 */
function subjectOf(ticket_number: string, message: string, thread_subject: string | null): string {
  const own = thread_subject === null ? '' : oneLine(thread_subject.replace(answered, ''), 200);
  return `[${ticket_number}] ${own === '' ? message : `Re: ${own}`}`;
}

const greeting = ({ customer_name }: Pick<CustomerMail, 'customer_name'>): string =>
  `Hello${customer_name ? ` ${oneLine(customer_name)}` : ''},`;
const named = ({ subject }: Pick<CustomerMail, 'subject'>): string => `“${oneLine(subject, 200)}”`;
const view = (links: CustomerLinks) => ({ label: 'View your ticket', href: links.ticket });
const byReply = 'Reply to this email, or on your ticket page.';

/** A longer request is cut: its page shows all of it. */
const maxRepeatedLength = 2_000;

/** Confirms a new ticket. The form accepts any address, so the subject of this first mail has no text from outside. */
export const ticketCreated = (ticket: EmailData['ticket_created'], links: CustomerLinks): Rendered => ({
  subject: subjectOf(ticket.ticket_number, 'Your ticket has been created', null),
  ...renderContent({
    theme: links.theme,
    delimiter: replyDelimiter,
    heading: 'We’ve got your request',
    paragraphs: [
      greeting(ticket),
      `Thanks for contacting ${links.theme.sender}. Your ticket ${ticket.ticket_number} has been created. You will receive updates via email.`,
    ],
    quote: {
      label: 'Your request',
      title: withoutLinks(oneLine(ticket.subject, 200)),
      ...(ticket.request ? { text: withoutLinks(beginningOf(ticket.request, maxRepeatedLength)) } : {}),
    },
    action: view(links),
    closing: `To add something, reply to this email. If you didn’t contact us, you can ignore it.`,
  }),
});

/** A staff reply with its full text, and the status that was set in the same step. */
export function ticketReply(reply: ReplyMail, links: CustomerLinks): Rendered {
  const { ticket_number, author_name, content, files, status, survey } = reply;
  return {
    subject: subjectOf(ticket_number, 'New reply to your ticket', links.thread_subject),
    ...renderContent({
      theme: links.theme,
      delimiter: replyDelimiter,
      preview: oneLine(markdownText(content), 150),
      ...(author_name === null
        ? { heading: `${links.theme.sender} has replied` }
        : { author: { name: oneLine(author_name), from: links.theme.sender } }),
      markdown: content,
      files: files.map((name) => oneLine(name, 255)),
      ...(status ? { facts: [{ label: 'Status', value: customerStatusLabels[status] }] } : {}),
      action: { label: files.length > 0 ? 'View your ticket and its files' : 'View your ticket', href: links.ticket },
      ...(survey ? { survey: links.survey } : {}),
      closing: `${ticket_number}: ${named(reply)}. ${byReply}`,
    }),
  };
}

export const ticketWaiting = (ticket: EmailData['ticket_waiting'], links: CustomerLinks): Rendered => ({
  subject: subjectOf(ticket.ticket_number, 'We’re waiting for your reply', links.thread_subject),
  ...renderContent({
    theme: links.theme,
    delimiter: replyDelimiter,
    heading: 'We need more information',
    paragraphs: [greeting(ticket), `${links.theme.sender} needs more information to continue with ${named(ticket)}.`],
    facts: [{ label: 'Status', value: customerStatusLabels.waiting_for_customer }],
    action: view(links),
    closing: byReply,
  }),
});

export const ticketResolved = (ticket: EmailData['ticket_resolved'], links: CustomerLinks): Rendered => ({
  subject: subjectOf(ticket.ticket_number, 'Your ticket has been resolved', links.thread_subject),
  ...renderContent({
    theme: links.theme,
    delimiter: replyDelimiter,
    heading: 'Your ticket has been resolved',
    paragraphs: [greeting(ticket), `${links.theme.sender} has resolved ${named(ticket)}.`],
    facts: [{ label: 'Status', value: customerStatusLabels.resolved }],
    action: view(links),
    ...(ticket.survey ? { survey: links.survey } : {}),
    closing: 'View the full conversation on your ticket page.',
  }),
});

/** For a ticket that was closed without being resolved. */
export const surveyInvitation = (ticket: EmailData['survey_invitation'], links: CustomerLinks): Rendered => ({
  subject: subjectOf(ticket.ticket_number, 'How did we do?', links.thread_subject),
  ...renderContent({
    theme: links.theme,
    delimiter: replyDelimiter,
    heading: 'How did we do?',
    paragraphs: [greeting(ticket), `${named(ticket)} is closed. Your feedback helps us improve.`],
    facts: [{ label: 'Status', value: customerStatusLabels.closed }],
    survey: links.survey,
  }),
});

/** To a sender whose mail was not added because the ticket accepts no more replies. Has no reply delimiter: a reply would be refused too. */
export const replyRefused = ({ ticket_number }: EmailData['reply_refused'], links: CustomerLinks): Rendered => ({
  subject: subjectOf(ticket_number, 'Your reply was not added', null),
  ...renderContent({
    theme: links.theme,
    heading: 'Your reply was not added',
    paragraphs: [
      'Hello,',
      `Ticket ${ticket_number} is closed and no longer accepts replies, so your message hasn’t reached ${links.theme.sender}.`,
      `If you still need help, open a new ticket on our page or send a new email to ${links.support}.`,
    ],
    action: { label: 'Open a new ticket', href: links.submit },
  }),
});
