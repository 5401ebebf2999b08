import { Injectable } from '@nestjs/common';
import {
  notificationCreated,
  ticketAssigned,
  ticketCommentAdded,
  ticketEscalated,
  ticketSlaBreached,
  ticketSlaWarning,
  ticketWoken,
  topicOf,
  type Context,
  type DataOf,
  type Envelope,
  type Ticket,
} from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { Consumes, emit } from '@tandem/messaging';
import { beginningOf } from '../email/text';
import { findTeam, type Teammate } from '../member/member.store';
import { preferencesFrom } from '../preference/preference.store';
import type { NotificationsSchema, StaffMail, StaffSlaMail, TicketNoticeKind } from '../schema';
import {
  isImported,
  mayStillArrive,
  noticesOf,
  onAssigned,
  onComment,
  onEscalation,
  onSlaBreach,
  onSlaWarning,
  onWoken,
  type Addressees,
} from './notification';
import { insertNotification } from './notification.store';
import { StaffMails } from './staff-mails';

type NotificationsTx = Tx<NotificationsSchema>;
/** The ticket fields that a notice shows. */
type NoticeTicket = Pick<Ticket, 'id' | 'organization_id' | 'ticket_number' | 'subject' | 'assigned_to'>;
/** The additional content of the email about it. */
type MailText = Pick<StaffMail, 'content' | 'is_internal'>;
/** The content of a notice. `by` is a member's id; `name` is used if that member is unknown. */
interface NoticeContent {
  ticket: NoticeTicket;
  by?: string | null;
  name?: string | null;
  due?: StaffSlaMail['due'];
  text?: MailText;
}

const nameOf = ({ first_name, last_name, email }: Teammate) => [first_name, last_name].filter(Boolean).join(' ') || email;

/**
 * Notifies staff of ticket events; `notification.ts` decides the recipients. The notice, its email and its event are written in one
 * transaction.
 */
@Injectable()
export class StaffNotices {
  constructor(private readonly mails: StaffMails) {}

  @Consumes(ticketAssigned, { name: 'assignment-notifications', from: 'now' })
  onAssigned(ctx: Context, { ticket }: DataOf<typeof ticketAssigned>, tx: NotificationsTx, envelope: Envelope) {
    const { actor } = envelope;
    const by = actor.type === 'user' ? actor.user_id : null;
    return this.notify(tx, ctx, envelope, onAssigned(ticket, actor), { ticket, by, text: textOf(ticket.description) });
  }

  @Consumes(ticketCommentAdded, { name: 'comment-notifications', from: 'now' })
  onComment(ctx: Context, { ticket, comment }: DataOf<typeof ticketCommentAdded>, tx: NotificationsTx, envelope: Envelope) {
    const name = comment.is_from_customer ? (ticket.customer_name ?? ticket.customer_email) : comment.customer_email;
    return this.notify(tx, ctx, envelope, onComment(ticket, comment, envelope.actor), {
      ticket,
      by: comment.user_id,
      name,
      text: { ...textOf(comment.content), is_internal: comment.is_internal },
    });
  }

  @Consumes(ticketSlaWarning, { name: 'sla-warning-notifications', from: 'now' })
  onSlaWarning(
    ctx: Context,
    { ticket, clock, due_at: at, ...scale }: DataOf<typeof ticketSlaWarning>,
    tx: NotificationsTx,
    envelope: Envelope,
  ) {
    return this.notify(tx, ctx, envelope, onSlaWarning(ticket), { ticket, due: { clock, at, ...scale } });
  }

  @Consumes(ticketSlaBreached, { name: 'sla-breach-notifications', from: 'now' })
  onSlaBreach(
    ctx: Context,
    { ticket, clock, due_at: at, ...scale }: DataOf<typeof ticketSlaBreached>,
    tx: NotificationsTx,
    envelope: Envelope,
  ) {
    return this.notify(tx, ctx, envelope, onSlaBreach(ticket), { ticket, due: { clock, at, ...scale } });
  }

  @Consumes(ticketEscalated, { name: 'escalation-notifications', from: 'now' })
  onEscalation(ctx: Context, { ticket }: DataOf<typeof ticketEscalated>, tx: NotificationsTx, envelope: Envelope) {
    return this.notify(tx, ctx, envelope, onEscalation(ticket), { ticket });
  }

  @Consumes(ticketWoken, { name: 'snooze-notifications', from: 'now' })
  onWoken(ctx: Context, { ticket }: DataOf<typeof ticketWoken>, tx: NotificationsTx, envelope: Envelope) {
    return this.notify(tx, ctx, envelope, onWoken(ticket, envelope.actor), { ticket });
  }

  /** Notifies each recipient through the channels that they have chosen. */
  async notify(tx: NotificationsTx, ctx: Context, cause: Envelope, addressees: Addressees, content: NoticeContent): Promise<void> {
    if (isImported(cause) || (addressees.people.length === 0 && !addressees.leads)) return;
    const { ticket, by } = content;
    const asked = new Set(addressees.people.map(({ user_id }) => user_id));
    const team = await findTeam(tx, ticket.organization_id, [...asked, ...(by ? [by] : [])], addressees.leads !== undefined);
    const known = new Map(team.map((member) => [member.user_id, member]));
    if (![...asked].every((id) => known.has(id)) && mayStillArrive(cause.time))
      throw new Error('a recipient is not known yet; retry when their member event has arrived');
    const author = by ? known.get(by) : undefined;
    const actor_name = author ? nameOf(author) : (content.name ?? null);
    for (const { user_id, kind } of noticesOf(addressees, team, ticket.assigned_to)) {
      const { email, preferences } = known.get(user_id)!;
      const channels = preferencesFrom(preferences)[topicOf[kind]];
      if (channels.in_app) await this.show(tx, ctx, cause, { user_id, kind, ticket, actor_name });
      const recipient = { organization_id: ticket.organization_id, user_id, email, in_app: channels.in_app };
      if (channels.mail)
        await this.mails.add(tx, ctx, cause, recipient, kind, { ...mailOf(ticket, actor_name), ...content.text }, content.due ?? null);
    }
  }

  private async show(
    tx: NotificationsTx,
    ctx: Context,
    cause: Envelope,
    { user_id, kind, ticket, actor_name }: { user_id: string; kind: TicketNoticeKind; ticket: NoticeTicket; actor_name: string | null },
  ) {
    const { id: ticket_id, organization_id, ticket_number, subject } = ticket;
    const notice = { organization_id, user_id, kind, ticket_id, ticket_number, subject, actor_name };
    const isNew = await insertNotification(tx, { id: newId(), ...notice, event_id: cause.id, created_at: cause.time, read_at: null });
    if (isNew) await emit(tx, ctx, notificationCreated, user_id, { user_id });
  }
}

const mailOf = ({ id, ticket_number, subject }: NoticeTicket, actor_name: string | null): StaffMail => ({
  ticket_id: id,
  ticket_number,
  subject,
  actor_name,
});

/** Longer texts are cut: the ticket's page shows all of them. */
const maxMailedLength = 4_000;
const textOf = (text: string | null): MailText => ({ content: text === null ? null : beginningOf(text, maxMailedLength) });
