import {
  AppError,
  isDisowned,
  isSenderUnproven,
  mailBounced,
  mailReceived,
  mailRefused,
  type Context,
  type EmailProof,
  type SenderChecks,
  type Ticket,
} from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { writeComment } from '../comment/comment.service';
import { addCustomerMessage } from '../portal/follow-up';
import type { TicketsTx } from '../schema';
import { writeTicket } from '../ticket/ticket.service';
import { insertOriginal, numberOnly, wasRefused, type Outcome } from './inbound.store';
import { commentContent, disownedWarning, skippedFilesNote, customerName, ticketSubject, unprovenWarning } from './mail';
import type { Decision } from './mail-decision';
import type { ParsedMail } from './parsed-mail';

/** Data about an email besides its text. */
export interface MailDetails {
  files: StoredFiles;
  checks: SenderChecks;
}

/** The stored files, and a line for each one that was left out. */
export interface StoredFiles {
  ids: string[];
  skipped: string[];
}

type AddedMessage = Pick<Ticket, 'id'> & { comment_id: string | null; ticket: Omit<Ticket, 'assignee'>; has_original: boolean };

/** Acts as `customer` for emails from the ticket's customer or an unknown sender, so that staff are notified; as `system` for the rest. */
export const actingContext = <C extends Context>(ctx: C, decision: Decision): C => ({
  ...ctx,
  actor: {
    type:
      decision.kind === 'ticket' || decision.kind === 'comment' || (decision.kind === 'note' && decision.cause !== 'automatic')
        ? 'customer'
        : 'system',
  },
});

/** Applies the decision in the caller's transaction and returns the outcome to record. */
export async function applyDecision(
  tx: TicketsTx,
  ctx: Context,
  decision: Decision,
  mail: ParsedMail,
  details: MailDetails,
): Promise<Outcome> {
  if ('reason' in decision) return { outcome: decision.kind, reason: decision.reason };
  if (decision.kind === 'bounce') {
    const { kind: _, ...bounce } = decision;
    await emit(tx, ctx, mailBounced, bounce.email_id, bounce);
    return { outcome: 'bounce' };
  }
  if (decision.kind === 'locked') return refuseReply(tx, ctx, decision, mail);
  const { files, checks } = details;
  const proof = proofOf(decision, checks);
  const added = await addMessage(tx, actingContext(ctx, decision), decision, mail, { proof, attachment_ids: files.ids });
  await saveOriginal(tx, ctx, decision.sender, added, mail, files.skipped);
  if (added.comment_id === null) await addSenderWarning(tx, ctx, added.ticket, proof);
  // Numbers can be guessed and From can be forged, so the subject and Message-ID of an unproven email must not appear in later emails.
  if (decision.kind === 'ticket' || (decision.kind === 'comment' && decision.is_proven))
    await emitMailReceived(tx, actingContext(ctx, decision), added, mail);
  const outcome = decision.kind === 'note' ? 'note' : added.comment_id === null ? 'ticket' : 'comment';
  return { outcome, reason: reasonOf(decision), ticket_id: added.id, comment_id: added.comment_id };
}

function reasonOf(decision: Decision & { kind: 'ticket' | 'comment' | 'note' }): string | null {
  if (decision.kind === 'comment') return decision.is_proven ? null : numberOnly;
  return decision.kind === 'ticket' ? null : decision.cause;
}

/** An email that opens a ticket claims no existing one, so it counts as matched. */
const proofOf = (decision: Decision, checks: SenderChecks): EmailProof => ({
  matched_by:
    (decision.kind === 'comment' && !decision.is_proven) || (decision.kind === 'note' && decision.cause === 'disowned')
      ? 'number'
      : 'conversation',
  checks,
});

/** Warns of an unproven sender with a note, if the email opened a ticket. Comments show the warning themselves. */
async function addSenderWarning(tx: TicketsTx, ctx: Context, ticket: Omit<Ticket, 'assignee'>, proof: EmailProof): Promise<void> {
  const warning = isDisowned(proof.checks) ? disownedWarning : isSenderUnproven(proof) ? unprovenWarning : undefined;
  if (warning === undefined) return;
  const note = { content: warning, is_internal: true, author: { user_id: null } };
  await writeComment(tx, { ...ctx, actor: { type: 'system' } }, ticket, note, new Date().toISOString());
}

/** Notifies the customer that the ticket accepts no replies. Only once a day: two automatic systems would otherwise reply without end. */
async function refuseReply(
  tx: TicketsTx,
  ctx: Context,
  { ticket, sender }: Decision & { kind: 'locked' },
  mail: ParsedMail,
): Promise<Outcome> {
  if (!(await wasRefused(tx, ticket.organization_id, ticket, sender)) && !mail.suppresses_replies) {
    const refused = {
      ticket_id: ticket.id,
      ticket_number: ticket.ticket_number,
      email: sender,
      message_id: mail.message_id,
      language: ticket.language,
    };
    await emit(tx, ctx, mailRefused, ticket.id, refused);
  }
  return { outcome: 'refused', reason: 'locked', ticket_id: ticket.id };
}

async function addMessage(
  tx: TicketsTx,
  ctx: Context,
  decision: Decision & { kind: 'ticket' | 'comment' | 'note' },
  mail: ParsedMail,
  { proof: email_proof, attachment_ids }: { proof: EmailProof; attachment_ids: string[] },
): Promise<AddedMessage> {
  const now = new Date().toISOString();
  if (decision.kind === 'ticket') return openTicket(tx, ctx, decision, mail, attachment_ids, now);
  const { text: content, has_original } = commentContent(mail, { whole: false, ...('intro' in decision ? { intro: decision.intro } : {}) });
  if (decision.kind === 'comment') {
    const message = {
      content,
      attachment_ids,
      channel: 'email' as const,
      has_original,
      email_proof,
      quiet: decision.quiet,
      cc: decision.cc,
    };
    const { comment, ticket } = await addCustomerMessage(tx, ctx, decision.ticket, message);
    return { id: ticket.id, comment_id: comment?.id ?? null, ticket, has_original };
  }
  const note = { content, is_internal: true, author: { customer_email: decision.sender }, attachment_ids, has_original, email_proof };
  const { comment, ticket } = await writeComment(tx, ctx, decision.ticket, note, now);
  return { id: ticket.id, comment_id: comment.id, ticket, has_original };
}

async function openTicket(
  tx: TicketsTx,
  ctx: Context,
  { sender, quiet, cc }: Decision & { kind: 'ticket' },
  mail: ParsedMail,
  attachment_ids: string[],
  now: string,
): Promise<AddedMessage> {
  const { text: description, has_original } = commentContent(mail, { whole: true });
  const from = { customer_email: sender, customer_name: customerName(mail) };
  const where = { channel: 'email' as const, quiet, language: mail.language, cc };
  const input = { ...from, ...where, subject: ticketSubject(mail), description, category: null, tags: [], attachment_ids };
  const ticket = await writeTicket(tx, ctx, input, now);
  // The organization is not known here yet; the job tries again.
  if (!ticket) throw new AppError('service.unavailable', { retryAfterSeconds: 2 });
  return { id: ticket.id, comment_id: null, ticket, has_original };
}

/** Saves what the conversation does not show: the original, and a note about files that were left out. */
async function saveOriginal(
  tx: TicketsTx,
  ctx: Context,
  sender: string,
  added: AddedMessage,
  mail: ParsedMail,
  skipped: string[],
): Promise<void> {
  const { id: ticket_id, comment_id, ticket } = added;
  const { subject, sent_at, text, quoted_text, html } = mail;
  if (added.has_original) {
    const what = { subject, sent_at, text, quoted_text, html };
    await insertOriginal(tx, { organization_id: ticket.organization_id, ticket_id, comment_id, from_address: sender, ...what });
  }
  if (skipped.length === 0) return;
  const note = { content: skippedFilesNote(skipped), is_internal: true, author: { user_id: null } };
  await writeComment(tx, { ...ctx, actor: { type: 'system' } }, ticket, note, new Date().toISOString());
}

const maxReferences = 50;

async function emitMailReceived(tx: TicketsTx, ctx: Context, { id, comment_id }: AddedMessage, mail: ParsedMail): Promise<void> {
  if (mail.message_id === null) return;
  const { message_id, subject } = mail;
  const answered = { ticket_id: id, comment_id, message_id, references: mail.references.slice(-maxReferences), subject };
  await emit(tx, ctx, mailReceived, id, answered);
}
