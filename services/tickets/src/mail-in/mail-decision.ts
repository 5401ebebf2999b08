import { isDisowned, type SenderChecks, type Ticket } from '@tandem/contracts';
import { lockName } from '@tandem/db';
import type { EmailTokens } from '@tandem/platform';
import { followUpMode } from '../portal/follow-up';
import { findFollowUp } from '../portal/portal.store';
import type { TicketsTx } from '../schema';
import { findMergedInto, findTicketById, findTicketForUpdate } from '../ticket/ticket.store';
import { findPassed, findTicketIdByNumber, findTicketsOfMessages, hasOpenedMany, type Named, type WaitingMail } from './inbound.store';
import {
  automaticNote,
  claimsOf,
  disownedNote,
  firstLook,
  likenessOf,
  mailboxOf,
  rate,
  strangersNote,
  type Claim,
  type FirstLook,
} from './mail';
import type { ParsedMail } from './parsed-mail';

type LockedTicket = Omit<Ticket, 'assignee'>;

/** Why an e-mail becomes an internal note. `disowned`: DMARC failed, and the policy of its sender's domain is quarantine or reject. */
export type NoteReason = 'automatic' | 'unknown_sender' | 'disowned';

/** How to process an e-mail. Its ticket, if any, is locked. */
export type Decision =
  | Exclude<FirstLook, { as: 'words' }>
  /** `quiet`: send no confirmation for a new ticket. */
  | { as: 'ticket'; sender: string; quiet: boolean }
  | { as: 'comment'; sender: string; ticket: LockedTicket; is_proven: boolean; quiet: boolean }
  | { as: 'note'; sender: string; ticket: LockedTicket; intro: string; cause: NoteReason }
  /** From the customer of a ticket that accepts no replies. */
  | { as: 'locked'; sender: string; ticket: LockedTicket };

const tooMany = { as: 'refused', reason: 'too_many' } as const;

/**
 * Runs in the transaction that applies the decision. Serializes e-mails of one sender's mailbox, so that concurrent ones cannot exceed the
 * rate limit, and an e-mail that arrives twice is detected.
 */
export async function decide(
  tx: TicketsTx,
  row: WaitingMail,
  mail: ParsedMail,
  { tokens, domain, checks }: { tokens: EmailTokens; domain: string; checks: SenderChecks },
): Promise<Decision> {
  const first = firstLook(mail, row, tokens, domain);
  if (first.as !== 'words') return first;
  const { sender, automatic } = first;
  await lockName(tx, `mail-in:${row.organization_id}:${mailboxOf(sender)}`);
  const passed = await findPassed(tx, row, sender, likenessOf(mail));
  if (passed.is_repeat) return { as: 'ignored', reason: 'repeat' };
  if (passed.mails >= rate.mails) return tooMany;
  const { ticket, is_proven } = await findClaimed(tx, row.organization_id, claimsOf(mail, row, tokens), { sender, automatic });
  const mayOpen = passed.tickets < rate.tickets;
  if (!ticket && automatic) return { as: 'ignored', reason: 'automatic' };
  // If the address is forged, a confirmation would go to its real owner.
  const quietly = () => (isDisowned(checks) ? Promise.resolve(true) : opensQuietly(tx, row, mail));
  if (!ticket) return mayOpen ? { as: 'ticket', sender, quiet: await quietly() } : tooMany;
  if (automatic) return { as: 'note', sender, ticket, intro: automaticNote(sender), cause: 'automatic' };
  if (ticket.customer_email !== sender) return { as: 'note', sender, ticket, intro: strangersNote(sender), cause: 'unknown_sender' };
  if (!is_proven && isDisowned(checks)) return { as: 'note', sender, ticket, intro: disownedNote(sender), cause: 'disowned' };
  const writing = followUpMode(ticket, await findFollowUp(tx, row.organization_id));
  if (writing === 'locked') return { as: 'locked', sender, ticket };
  if (writing === 'new_ticket' && !mayOpen) return tooMany;
  const quiet = writing === 'new_ticket' && (await quietly());
  return { as: 'comment', sender, ticket, is_proven, quiet };
}

/** The sender suppresses automatic replies, or so many tickets were opened by e-mail recently that their senders may be forged. */
const opensQuietly = async (tx: TicketsTx, row: WaitingMail, mail: ParsedMail): Promise<boolean> =>
  mail.wants_no_answer || (await hasOpenedMany(tx, row));

/** The locked ticket of the first claim that matches in this organization. */
async function findClaimed(
  tx: TicketsTx,
  organization_id: string,
  claims: Claim[],
  by: { sender: string; automatic: boolean },
): Promise<{ ticket?: LockedTicket; is_proven: boolean }> {
  const messages = await findTicketsOfMessages(
    tx,
    organization_id,
    claims.flatMap((claim) => ('message_id' in claim ? [claim.message_id] : [])),
  );
  for (const claim of claims) {
    const named = await namedBy(tx, organization_id, claim, messages);
    const ticket = named && (await lockWhereItGoesOn(tx, named.ticket_id));
    // A number is not secret: it only counts from the ticket's customer, and not in automatic e-mails.
    if (ticket && (named.is_proven || (ticket.customer_email === by.sender && !by.automatic)))
      return { ticket, is_proven: named.is_proven };
  }
  return { is_proven: false };
}

async function namedBy(tx: TicketsTx, organization_id: string, claim: Claim, messages: Map<string, Named>): Promise<Named | undefined> {
  if ('ticket_id' in claim) return { ticket_id: claim.ticket_id, is_proven: true };
  if ('message_id' in claim) return messages.get(claim.message_id);
  const ticket_id = await findTicketIdByNumber(tx, organization_id, claim.ticket_number);
  return ticket_id === undefined ? undefined : { ticket_id, is_proven: false };
}

/** Locks the ticket, or the one in which its conversation continues. Locks no ticket on the way, which could deadlock with a merge. */
async function lockWhereItGoesOn(tx: TicketsTx, id: string): Promise<LockedTicket | undefined> {
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
