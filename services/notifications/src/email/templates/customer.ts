import { replyDelimiters } from '@tandem/contracts';
import { markdownText } from '@tandem/contracts/values';
import type { CustomerMail, EmailData, ReplyMail } from '../../schema';
import type { EmailTexts } from '../email-content';
import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';
import { beginningOf, oneLine, withoutLinks } from '../text';

/** The texts and the links in an email to a customer. */
export interface CustomerContext {
  theme: Theme;
  texts: EmailTexts;
  ticket: string;
  survey: string;
  /** The page for a new ticket, and the address that opens a ticket by email. */
  submit: string;
  support: string;
  /** The subject of the customer's own mail thread; null if the ticket did not begin by email. */
  thread_subject: string | null;
}

/** Reply and forward prefixes that mail clients put before a subject, and our own ticket number. */
const answered = /^(?:\s*(?:re|aw|wg|fwd?|sv|vs|antw|tr|rif|odp)(?:\[\d+\])?\s*:|\s*\[[A-Z0-9-]{1,20}-\d+\])+/i;

/**
 * `[ACM-0001] …`. Without a thread the subject has no text from outside, because an open form could otherwise send any text to any address.
 * In a thread that the customer began by email, it repeats their subject so that mail clients group the conversation.
 */
function subjectOf(ticket_number: string, message: string, thread_subject: string | null): string {
  const own = thread_subject === null ? '' : oneLine(thread_subject.replace(answered, ''), 200);
  return `[${ticket_number}] ${own === '' ? oneLine(message, 200) : `Re: ${own}`}`;
}

const greeting = (texts: EmailTexts, customer_name: string | null): string =>
  customer_name ? texts('greeting.name', { name: oneLine(customer_name) }) : texts('greeting');
const subjectIn = ({ subject }: Pick<CustomerMail, 'subject'>): string => oneLine(subject, 200);
const view = ({ texts, ticket }: CustomerContext) => ({ label: texts('action.view'), href: ticket });
/** The parts of each email that a customer can answer. */
const answerable = ({ theme, texts }: CustomerContext) => ({ theme, texts, delimiter: replyDelimiters[texts.language] });

/** A longer request is cut: its page shows all of it. */
const maxRepeatedLength = 2_000;

/** Confirms a new ticket. The form accepts any address, so the subject of this first email has no text from outside. */
export function ticketCreated(ticket: EmailData['ticket_created'], context: CustomerContext): Rendered {
  const { texts, theme } = context;
  const clean = (typed: string) => withoutLinks(typed, texts('links.removed'));
  return {
    subject: subjectOf(ticket.ticket_number, texts('subject.created'), null),
    ...renderContent({
      ...answerable(context),
      heading: texts('created.heading'),
      paragraphs: [greeting(texts, ticket.customer_name), texts('created.body', { team: theme.sender, number: ticket.ticket_number })],
      quote: {
        label: texts('created.request'),
        title: clean(subjectIn(ticket)),
        ...(ticket.request ? { text: clean(beginningOf(ticket.request, maxRepeatedLength)) } : {}),
      },
      action: view(context),
      closing: texts('created.closing'),
    }),
  };
}

/** A staff reply with its full text, and the status that was set in the same step. */
export function ticketReply(reply: ReplyMail, context: CustomerContext): Rendered {
  const { ticket_number, author_name, content, files, status, survey, copy_of } = reply;
  const { texts, theme } = context;
  return {
    subject: subjectOf(ticket_number, texts('subject.reply'), context.thread_subject),
    ...renderContent({
      ...answerable(context),
      preview: oneLine(markdownText(content), 150),
      ...(author_name === null
        ? { heading: texts('reply.heading', { team: theme.sender }) }
        : { author: { name: oneLine(author_name), from: theme.sender } }),
      markdown: content,
      files: files.map((name) => oneLine(name, 255)),
      ...(status ? { status: texts('status.line', { status: texts(`status.${status}`) }) } : {}),
      ...(copy_of === undefined ? { action: replyAction(context, files.length) } : {}),
      ...(survey ? { survey: context.survey } : {}),
      closing: texts('reply.closing', { number: ticket_number, subject: subjectIn(reply) }),
    }),
  };
}

const replyAction = (context: CustomerContext, count: number) =>
  count > 0 ? { ...view(context), label: context.texts('action.files', { count }) } : view(context);

export function ticketWaiting(ticket: EmailData['ticket_waiting'], context: CustomerContext): Rendered {
  const { texts, theme } = context;
  return {
    subject: subjectOf(ticket.ticket_number, texts('subject.waiting'), context.thread_subject),
    ...renderContent({
      ...answerable(context),
      heading: texts('waiting.heading'),
      paragraphs: [greeting(texts, ticket.customer_name), texts('waiting.body', { team: theme.sender, subject: subjectIn(ticket) })],
      status: texts('status.line', { status: texts('status.waiting_for_customer') }),
      action: view(context),
      closing: texts('waiting.closing'),
    }),
  };
}

export function ticketResolved(ticket: EmailData['ticket_resolved'], context: CustomerContext): Rendered {
  const { texts, theme } = context;
  return {
    subject: subjectOf(ticket.ticket_number, texts('subject.resolved'), context.thread_subject),
    ...renderContent({
      ...answerable(context),
      heading: texts('resolved.heading'),
      paragraphs: [greeting(texts, ticket.customer_name), texts('resolved.body', { team: theme.sender, subject: subjectIn(ticket) })],
      status: texts('status.line', { status: texts('status.resolved') }),
      action: view(context),
      ...(ticket.survey ? { survey: context.survey } : {}),
      closing: texts('resolved.closing'),
    }),
  };
}

/** For a ticket that was closed without being resolved. */
export function surveyInvitation(ticket: EmailData['survey_invitation'], context: CustomerContext): Rendered {
  const { texts } = context;
  return {
    subject: subjectOf(ticket.ticket_number, texts('subject.survey'), context.thread_subject),
    ...renderContent({
      ...answerable(context),
      heading: texts('survey.heading'),
      paragraphs: [greeting(texts, ticket.customer_name), texts('survey.body', { subject: subjectIn(ticket) })],
      status: texts('status.line', { status: texts('status.closed') }),
      survey: context.survey,
    }),
  };
}

/**
 * Email to a sender whose email was not added because the ticket accepts no more replies. Has no reply delimiter: a reply would be refused too.
 */
export function replyRefused({ ticket_number }: EmailData['reply_refused'], context: CustomerContext): Rendered {
  const { texts, theme } = context;
  return {
    subject: subjectOf(ticket_number, texts('subject.refused'), null),
    ...renderContent({
      theme,
      texts,
      heading: texts('refused.heading'),
      paragraphs: [
        greeting(texts, null),
        texts('refused.body', { number: ticket_number, team: theme.sender }),
        texts('refused.help', { address: context.support }),
      ],
      action: { label: texts('action.submit'), href: context.submit },
    }),
  };
}
