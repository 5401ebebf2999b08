import { Inject, Injectable } from '@nestjs/common';
import {
  mailRefused,
  ticketClosed,
  ticketCommentAdded,
  ticketCreated,
  ticketLookupRequested,
  ticketResolved,
  ticketUpdated,
  type Context,
  type DataOf,
  type Envelope,
  type Ticket,
  type TenantContext,
} from '@tandem/contracts';
import { lockName, type Tx } from '@tandem/db';
import { Consumes, ConsumesBatch, type BatchedEvent } from '@tandem/messaging';
import type { NotificationsConfig } from '../config';
import { isImported } from '../notification/notification';
import type { CustomerMail, EmailData, NotificationsSchema, TicketFollowers } from '../schema';
import { findSenderAddresses, hasSurveyInvitation, saveFollowers, saveStatusVersions, wasMailedToday } from './delivery.store';
import { EmailQueue, type NewEmail } from './email.queue';
import { inviteToSurvey } from './survey-invitation';

type EmailTx = Tx<NotificationsSchema>;

/** The email that opened a ticket arrives in a separate event; the confirmation waits for it, to name its Message-ID. */
const messageDelayMs = 1_000;

/**
 * Sends ticket events to customers, who cannot switch these emails off. Never sends internal notes, and nothing about a merged duplicate,
 * because it was not resolved itself. A reply that resolves or closes the ticket sends one email: its other events carry `with_reply`.
 */
@Injectable()
export class TicketEmails {
  constructor(
    private readonly emails: EmailQueue,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  /**
   * Sends no email for tickets that our own processes create (an import, the demo data) or that are marked `quiet`. In batches without an
   * interval: a confirmation does not wait for others, but those that wait anyway are saved together.
   */
  @ConsumesBatch(ticketCreated, { name: 'ticket-created-emails', from: 'now' })
  async onTicketsCreated(events: readonly BatchedEvent<DataOf<typeof ticketCreated>>[], tx: EmailTx) {
    const followers = events.map(({ data }) => followersOf(data.ticket));
    const confirmed = events.filter(
      ({ data: { ticket, quiet }, envelope }) => !quiet && (envelope.actor.type !== 'system' || ticket.channel === 'email'),
    );
    const emails = confirmed.map(({ ctx, data: { ticket }, envelope }): NewEmail<'ticket_created'> => {
      // An email's text is not repeated: its sender may be forged, and would otherwise choose what we send to that address.
      const data = { ...mailOf(ticket), request: ticket.channel === 'email' ? null : ticket.description };
      const delay = data.by_mail ? { delayMs: messageDelayMs } : {};
      const { id: ticket_id, customer_email: to_address } = ticket;
      return { ctx, cause: envelope, kind: 'ticket_created', to_address, data, ticket_id, ...delay };
    });
    await Promise.all([saveFollowers(tx, followers), this.emails.addAll(tx, emails)]);
  }

  @Consumes(ticketCommentAdded, { name: 'reply-emails', from: 'now' })
  async onReply(ctx: Context, { ticket, comment, status_from }: DataOf<typeof ticketCommentAdded>, tx: EmailTx, envelope: Envelope) {
    // An unknown sender's note is internal and also has a customer address; each alone is a reason to send nothing.
    if (comment.is_internal || comment.is_from_customer || comment.customer_email !== null || !isNotified(ticket, envelope)) return;
    const ended = status_from !== undefined && (ticket.status === 'resolved' || ticket.status === 'closed');
    const { author, content, attachments } = comment;
    const cc = await this.copiesOf(tx, ticket);
    const reply = {
      author_name: [author?.first_name, author?.last_name].filter(Boolean).join(' ') || null,
      content,
      files: attachments.map(({ file_name }) => file_name),
      status: status_from === undefined ? null : ticket.status,
      ...(cc.length > 0 && { cc }),
      ...(comment.rule && { is_automatic: true }),
    };
    const survey = ended && (await inviteToSurvey(tx, ctx, ticket.organization_id, ticket.id));
    await saveFollowers(tx, [followersOf(ticket)]);
    const email = { ctx, cause: envelope, kind: 'ticket_reply', ticket_id: ticket.id } as const;
    const { customer_email } = ticket;
    // One email per address: each has its own attempts and its own bounces, and a failure of one sends no other a second time.
    await this.emails.addAll(tx, [
      { ...email, to_address: customer_email, data: { ...mailOf(ticket), ...reply, survey } },
      ...cc.map((to_address) => ({ ...email, to_address, data: { ...mailOf(ticket), ...reply, survey: false, copy_of: customer_email } })),
    ]);
  }

  /**
   * The addresses in Cc without the customer's own, and without ours and those that the organization sends from: a reply must not return to
   * us.
   */
  private async copiesOf(tx: EmailTx, { organization_id, cc, customer_email }: Ticket): Promise<string[]> {
    if (cc.length === 0) return [];
    const senders = await findSenderAddresses(tx, organization_id);
    const isOurs = (address: string) => `.${address.slice(address.lastIndexOf('@') + 1)}`.endsWith(`.${this.config.MAIL_DOMAIN}`);
    return cc.filter((address) => address !== customer_email && !isOurs(address) && !senders.includes(address));
  }

  /** Several changes together: their emails wait anyway (`STATUS_EMAIL_DELAY_SECONDS`). */
  @ConsumesBatch(ticketUpdated, { name: 'status-emails', from: 'now', intervalMs: 250 })
  async onTicketsUpdated(events: readonly BatchedEvent<DataOf<typeof ticketUpdated>>[], tx: EmailTx) {
    const newestWith = (...fields: string[]) =>
      newest(events.filter(({ data }) => fields.some((field) => field in data.changes)).map(({ data }) => followersOf(data.ticket)));
    // A merge that was undone restores the status, which is not news.
    const waiting = events.filter(
      ({ data: { ticket, changes, with_reply }, envelope }) =>
        changes.status?.to === 'waiting_for_customer' && !with_reply && !('merged_into' in changes) && isNotified(ticket, envelope),
    );
    const emails = waiting.map(({ ctx, data, envelope }) => this.statusEmail(ctx, envelope, 'ticket_waiting', data.ticket, {}));
    await Promise.all([
      saveFollowers(tx, newestWith('assigned_to', 'watchers', 'subject', 'status')),
      saveStatusVersions(tx, newestWith('status')),
      this.emails.addAll(tx, emails),
    ]);
  }

  @Consumes(ticketResolved, { name: 'ticket-resolved-emails', from: 'now' })
  async onTicketResolved(ctx: Context, { ticket, with_reply }: DataOf<typeof ticketResolved>, tx: EmailTx, envelope: Envelope) {
    if (with_reply || !isNotified(ticket, envelope)) return;
    const email = this.statusEmail(ctx, envelope, 'ticket_resolved', ticket, { survey: null });
    await Promise.all([saveFollowers(tx, [followersOf(ticket)]), this.emails.addAll(tx, [email])]);
  }

  @Consumes(ticketClosed, { name: 'ticket-closed-emails', from: 'now' })
  async onTicketClosed(ctx: Context, { ticket, with_reply }: DataOf<typeof ticketClosed>, tx: EmailTx, envelope: Envelope) {
    if (with_reply || !isNotified(ticket, envelope)) return;
    if (await hasSurveyInvitation(tx, ticket.organization_id, ticket.id)) return;
    const email = this.statusEmail(ctx, envelope, 'survey_invitation', ticket, { survey: null });
    await Promise.all([saveFollowers(tx, [followersOf(ticket)]), this.emails.addAll(tx, [email])]);
  }

  /** At most once per ticket and day: an auto-responder that answers each of our emails must not start a loop. */
  @Consumes(mailRefused, { name: 'refused-email-replies', from: 'now' })
  async onMailRefused(ctx: TenantContext, refused: DataOf<typeof mailRefused>, tx: EmailTx, envelope: Envelope) {
    const { ticket_id, ticket_number, email, message_id, language } = refused;
    await lockName(tx, `reply-refused:${ticket_id}`);
    if (await wasMailedToday(tx, ctx.organization_id, ticket_id, 'reply_refused')) return;
    const data = { ticket_id, ticket_number, in_reply_to: message_id, language };
    await this.emails.add(tx, ctx, envelope, 'reply_refused', email, data, { ticket_id });
  }

  @Consumes(ticketLookupRequested, { name: 'ticket-lookup-emails', from: 'now' })
  async onTicketLookupRequested(ctx: Context, data: DataOf<typeof ticketLookupRequested>, tx: EmailTx, envelope: Envelope) {
    await this.emails.add(tx, ctx, envelope, 'ticket_links', data.email, { tickets: data.tickets, language: data.language });
  }

  /** Waits until staff can no longer undo the change; `finishStatusEmail` then checks that it still applies. */
  private statusEmail<K extends 'ticket_waiting' | 'ticket_resolved' | 'survey_invitation'>(
    ctx: Context,
    cause: Envelope,
    kind: K,
    ticket: Ticket,
    more: object,
  ): NewEmail<K> {
    const delayMs = this.config.STATUS_EMAIL_DELAY_SECONDS * 1_000;
    const data = { ...mailOf(ticket), ...more, status_version: ticket.version } as EmailData[K];
    const email = { ctx, cause, kind, to_address: ticket.customer_email, data, ticket_id: ticket.id };
    return delayMs > 0 ? { ...email, delayMs } : email;
  }
}

/** The newest state of each ticket. */
function newest(followers: readonly TicketFollowers[]): TicketFollowers[] {
  const byTicket = Map.groupBy(followers, ({ ticket_id }) => ticket_id);
  return [...byTicket.values()].map((states) => states.reduce((one, other) => (other.version > one.version ? other : one)));
}

/** Whether the customer receives emails about this ticket event. */
const isNotified = (ticket: Ticket, envelope: Envelope): boolean => ticket.merged_into_id === null && !isImported(envelope);

const mailOf = ({ id, ticket_number, subject, customer_name, language, channel }: Ticket): CustomerMail => ({
  ticket_id: id,
  ticket_number,
  subject,
  customer_name,
  language,
  by_mail: channel === 'email',
});

const followersOf = ({ id, organization_id, ticket_number, subject, assigned_to, watchers, version }: Ticket): TicketFollowers => ({
  organization_id,
  ticket_id: id,
  ticket_number,
  subject,
  assigned_to,
  watchers,
  version,
});
