import { isDisowned, type SenderChecks, type Ticket } from '@tandem/contracts';
import { lockName } from '@tandem/db';
import type { EmailTokens } from '@tandem/platform';
import { followUpMode } from '../portal/follow-up';
import { findFollowUp } from '../portal/portal.store';
import type { TicketsTx } from '../schema';
import type { StoredTicket } from '../ticket/ticket-fields';
import { findMergedInto, findTicketById, findTicketForUpdate } from '../ticket/ticket.store';
import {
  findSenderHistory,
  findTicketIdByNumber,
  findTicketsByMessageIds,
  exceedsConfirmationLimits,
  type ReferencedTicket,
  type UnprocessedMail,
} from './inbound.store';
import {
  autoReplyIntro,
  copiedIntro,
  copiedTo,
  ticketReferences,
  disownedIntro,
  classify,
  contentHash,
  canonicalMailbox,
  senderLimits,
  unknownSenderIntro,
  type TicketReference,
  type Classification,
} from './mail';
import { findMailbox } from './mailbox.store';
import type { ParsedMail } from './parsed-mail';

/** Why an email becomes an internal note. `disowned`: DMARC failed, and the policy of its sender's domain is quarantine or reject. */
export type NoteReason = 'automatic' | 'unknown_sender' | 'disowned';

/** How to process an email. Its ticket, if any, is locked. */
export type Decision =
  | Exclude<Classification, { kind: 'message' }>
  /** `quiet`: send no confirmation for a new ticket. `cc`: the addresses that get a copy of each reply from now on. */
  | { kind: 'ticket'; sender: string; quiet: boolean; cc: string[] }
  | { kind: 'comment'; sender: string; ticket: StoredTicket; is_proven: boolean; quiet: boolean; cc: string[] }
  | { kind: 'note'; sender: string; ticket: StoredTicket; intro: string; cause: NoteReason }
  /** The email is from the customer of a ticket that accepts no replies. */
  | { kind: 'locked'; sender: string; ticket: StoredTicket };

const tooMany = { kind: 'refused', reason: 'too_many' } as const;

/**
 * Runs in the transaction that applies the decision. Serializes emails of one sender's mailbox, so that concurrent ones cannot exceed the
 * rate limit, and an email that arrives twice is detected.
 */
export async function decide(
  tx: TicketsTx,
  row: UnprocessedMail,
  mail: ParsedMail,
  { tokens, domain, checks }: { tokens: EmailTokens; domain: string; checks: SenderChecks },
): Promise<Decision> {
  const first = classify(mail, row, tokens, domain);
  if (first.kind !== 'message') return first;
  const { sender, automatic } = first;
  await lockName(tx, `mail-in:${row.organization_id}:${canonicalMailbox(sender)}`);
  const history = await findSenderHistory(tx, row, sender, contentHash(mail));
  if (history.is_duplicate) return { kind: 'ignored', reason: 'repeat' };
  if (history.mails >= senderLimits.mails) return tooMany;
  const { ticket, is_proven } = await findReferencedTicket(tx, row.organization_id, ticketReferences(mail, row, tokens), {
    sender,
    automatic,
  });
  const mayOpen = history.tickets < senderLimits.tickets;
  if (!ticket && automatic) return { kind: 'ignored', reason: 'automatic' };
  // A confirmation to a forged address would go to its owner, who wrote nothing.
  const quietly = () => (isDisowned(checks) ? Promise.resolve(true) : skipsConfirmation(tx, row, mail));
  // A forged email must not make us send copies to other people.
  const cc = isDisowned(checks) ? [] : await findCopied(tx, row, mail, { sender, domain });
  if (!ticket) return mayOpen ? { kind: 'ticket', sender, quiet: await quietly(), cc } : tooMany;
  if (automatic) return { kind: 'note', sender, ticket, intro: autoReplyIntro(sender), cause: 'automatic' };
  if (ticket.customer_email !== sender) {
    const intro = ticket.cc.includes(sender) ? copiedIntro(sender) : unknownSenderIntro(sender);
    return { kind: 'note', sender, ticket, intro, cause: 'unknown_sender' };
  }
  if (!is_proven && isDisowned(checks)) return { kind: 'note', sender, ticket, intro: disownedIntro(sender), cause: 'disowned' };
  const writing = followUpMode(ticket, await findFollowUp(tx, row.organization_id));
  if (writing === 'locked') return { kind: 'locked', sender, ticket };
  if (writing === 'new_ticket' && !mayOpen) return tooMany;
  // Rules must not answer an email that forbids automatic replies, or may be forged.
  const quiet = writing === 'new_ticket' ? await quietly() : mail.suppresses_replies || isDisowned(checks);
  return { kind: 'comment', sender, ticket, is_proven, quiet, cc: is_proven ? cc : [] };
}

/** Without the address of the mailbox that we read: each copy to it would be fetched as a new email. */
async function findCopied(
  tx: TicketsTx,
  { organization_id, to_address }: UnprocessedMail,
  mail: ParsedMail,
  { sender, domain }: { sender: string; domain: string },
): Promise<string[]> {
  if (mail.cc.length === 0) return [];
  const mailbox = await findMailbox(tx, organization_id);
  return copiedTo(mail, sender, domain, [to_address.toLowerCase(), ...(mailbox ? [mailbox.username.toLowerCase()] : [])]);
}

/** The sender suppresses automatic replies, or `confirmationLimits` are exceeded, which suggests forged senders. */
const skipsConfirmation = async (tx: TicketsTx, row: UnprocessedMail, mail: ParsedMail): Promise<boolean> =>
  mail.suppresses_replies || (await exceedsConfirmationLimits(tx, row));

/** The locked ticket of the first reference that matches in this organization. */
async function findReferencedTicket(
  tx: TicketsTx,
  organization_id: string,
  references: TicketReference[],
  by: { sender: string; automatic: boolean },
): Promise<{ ticket?: StoredTicket; is_proven: boolean }> {
  const messages = await findTicketsByMessageIds(
    tx,
    organization_id,
    references.flatMap((reference) => ('message_id' in reference ? [reference.message_id] : [])),
  );
  for (const reference of references) {
    const named = await resolveReference(tx, organization_id, reference, messages);
    const ticket = named && (await lockMergeTarget(tx, named.ticket_id));
    // A number is not secret: it only counts from the ticket's customer, and not in automatic emails.
    // An anonymized ticket has no customer: the email opens a new ticket.
    if (ticket && ticket.anonymized_at === null && (named.is_proven || (ticket.customer_email === by.sender && !by.automatic)))
      return { ticket, is_proven: named.is_proven };
  }
  return { is_proven: false };
}

async function resolveReference(
  tx: TicketsTx,
  organization_id: string,
  reference: TicketReference,
  messages: Map<string, ReferencedTicket>,
): Promise<ReferencedTicket | undefined> {
  if ('ticket_id' in reference) return { ticket_id: reference.ticket_id, is_proven: true };
  if ('message_id' in reference) return messages.get(reference.message_id);
  const ticket_id = await findTicketIdByNumber(tx, organization_id, reference.ticket_number);
  return ticket_id === undefined ? undefined : { ticket_id, is_proven: false };
}

/** Locks the ticket, or the one in which its conversation continues. Does not lock tickets in between, which could deadlock with a merge. */
async function lockMergeTarget(tx: TicketsTx, id: string): Promise<StoredTicket | undefined> {
  for (let next: string | undefined = id; next !== undefined;) {
    const named: Ticket | undefined = await findTicketById(tx, next);
    if (!named) return undefined;
    const end: string = named.merged_into_id === null ? named.id : ((await findMergedInto(tx, named.merged_into_id))?.id ?? named.id);
    const locked = await findTicketForUpdate(tx, end);
    // Merged in the meantime: continue with the target.
    if (locked?.merged_into_id == null) return locked;
    next = locked.merged_into_id;
  }
  return undefined;
}
