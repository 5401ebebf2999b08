import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  slaDefaults,
  systemContext,
  type Context,
  type CreateSlaPolicy,
  type Ticket,
  type TicketChannel,
  type TenantContext,
} from '@tandem/contracts';
import type { Database } from '@tandem/db';
import { writeComment } from '../comment/comment.service';
import type { TicketsSchema, TicketsTx } from '../schema';
import { lockNextTickets } from '../export/ticket-export.store';
import { emitHistories } from '../export/ticket-export.worker';
import { addPolicy } from '../sla/sla.service';
import { saveSurvey } from '../survey/survey.service';
import { saveSentSurvey } from '../survey/survey.store';
import { isResolvedOrClosed, statusAfterCustomerComment } from '../ticket/ticket';
import { changeTicket, getTicketForUpdate, writeTicket } from '../ticket/ticket.service';
import { findTicketById, isActiveMember } from '../ticket/ticket.store';
import type { NewTicket } from '../ticket/ticket-fields';
import { insertDemoArticles } from './demo-articles';
import { demoSurveys } from './demo-surveys';
import { insertDemoMacrosAndViews } from './demo-macros-and-views';
import { demoCustomers, demoTickets, type DemoTicket } from './demo-tickets';

/** The demo organization, with its admin, its manager and its agent. */
export interface DemoOrganization {
  organization_id: string;
  member_ids: string[];
}

/** In working hours of the demo organization, except for escalation, which counts plain hours. */
export const demoPolicies: readonly Pick<
  CreateSlaPolicy,
  'name' | 'priority_level' | 'response_time_hours' | 'resolution_time_hours' | 'escalation_time_hours'
>[] = [
  { name: 'Urgent', priority_level: 'urgent', response_time_hours: 2, resolution_time_hours: 8, escalation_time_hours: 12 },
  { name: 'High', priority_level: 'high', response_time_hours: 4, resolution_time_hours: 24, escalation_time_hours: 72 },
  { name: 'Standard', priority_level: 'medium', response_time_hours: 24, resolution_time_hours: 72, escalation_time_hours: 240 },
  { name: 'Low', priority_level: 'low', response_time_hours: 48, resolution_time_hours: 120, escalation_time_hours: 480 },
];

/** Channels in rotation: most customers write an email, and some call. */
const channels: readonly TicketChannel[] = ['email', 'portal', 'email', 'widget', 'portal', 'email', 'staff'];

const dayMs = 86_400_000;
/** Tickets with news of the last days are unread. */
const unreadDays = 2;
const projectionWaitMs = 30_000;

/**
 * Writes the demo organization's tickets of the past 30 days, with numbers and events, and its help articles, in one transaction: all or
 * none. A second call writes none. The actor of the events is `system`, for which notifications sends no emails. Waits up to 30 seconds
 * for identity's organization and members to arrive here, then throws. Returns the number of tickets written.
 */
export async function seedDemoTickets(db: Database<TicketsSchema>, demo: DemoOrganization, now = new Date()): Promise<number> {
  const ctx = systemContext(demo.organization_id, 'demo');
  await waitForProjection(db, ctx, demo.member_ids);
  return db.forTenant(ctx, (tx) => writeDemoTickets(tx, ctx, demo, now));
}

/** See `seedDemoTickets`. Does not wait for organization and members. */
export async function writeDemoTickets(tx: TicketsTx, ctx: TenantContext, demo: DemoOrganization, now: Date): Promise<number> {
  // A concurrent seeder waits for this lock and then finds the tickets of the first.
  await tx.selectFrom('ticket_counters').select('prefix').forUpdate().execute();
  if (await findTicketById(tx, demoId(demo.organization_id, 0))) return 0;
  for (const policy of demoPolicies) await addPolicy(tx, ctx, { ...slaDefaults, ...policy });
  for (const [index, ticket] of demoTickets.entries()) await writeDemoTicket(tx, ctx, demo.member_ids, ticket, index, now);
  // The tickets are older than the members' accounts; without this, none would be unread.
  await tx
    .updateTable('members')
    .set({ unread_since: new Date(now.getTime() - unreadDays * dayMs).toISOString() })
    .execute();
  await emitHistories(tx, ctx, await lockNextTickets(tx, { purpose: 'analytics' }, null, demoTickets.length));
  await insertDemoMacrosAndViews(tx, demo.organization_id, demo.member_ids[0]!, now.toISOString());
  await insertDemoArticles(tx, demo.organization_id, demo.member_ids[0]!, now.toISOString());
  return demoTickets.length;
}

/** Whether the organization and the members of the demo are known here. */
export async function isDemoKnown(tx: TicketsTx, member_ids: readonly string[]): Promise<boolean> {
  const counter = await tx.selectFrom('ticket_counters').select('prefix').executeTakeFirst();
  for (const id of member_ids) if (!(await isActiveMember(tx, id))) return false;
  return counter !== undefined;
}

async function waitForProjection(db: Database<TicketsSchema>, ctx: Context, member_ids: string[]): Promise<void> {
  for (const deadline = Date.now() + projectionWaitMs; ; await pause(100)) {
    if (await db.forTenant(ctx, (tx) => isDemoKnown(tx, member_ids))) return;
    if (Date.now() > deadline) throw new Error('The demo organization or its members have not reached the tickets service: is it running?');
  }
}

/** Deterministic, so that a second run detects the first. */
export function demoId(organization_id: string, index: number | string): string {
  const hex = createHash('sha256').update(`demo ticket ${organization_id} ${index}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

async function writeDemoTicket(
  tx: TicketsTx,
  ctx: TenantContext,
  member_ids: string[],
  demo: DemoTicket,
  index: number,
  now: Date,
): Promise<void> {
  const [customer_name, customer_email] = demoCustomers[demo.customer];
  const created = now.getTime() - demo.daysAgo * dayMs;
  // Spread the ticket's events evenly over two days, or over its lifetime if that is shorter.
  const steps = (demo.lines?.length ?? 0) + 2;
  const stepMs = Math.min(2 * dayMs, now.getTime() - created) / (steps + 1);
  const at = (step: number) => new Date(created + step * stepMs).toISOString();
  const { subject, description, category, priority, tags = [] } = demo;
  const input = { subject, description, category, priority, tags, customer_email, customer_name };
  const written = await writeTicket(
    tx,
    ctx,
    { ...input, ...originOf(ctx.organization_id, demo, index) },
    at(0),
    demoId(ctx.organization_id, index),
  );
  if (!written) throw new Error('The organization has no ticket prefix');
  const assigned_to = demo.assignee === null ? null : (member_ids[demo.assignee % member_ids.length] ?? null);
  if (assigned_to) await changeTicket(tx, ctx, written.id, { assigned_to }, { now: at(1) });
  for (const [line, [who, content]] of (demo.lines ?? []).entries()) {
    const ticket = await getTicketForUpdate(tx, written.id);
    await writeComment(tx, ctx, ticket, { content, is_internal: who === 'note', ...authorOf(who, ticket) }, at(line + 2));
  }
  await changeTicket(tx, ctx, written.id, { status: demo.status }, { now: at(steps) });
  const survey = demo.follows === undefined ? demoSurveys[subject] : undefined;
  if (isResolvedOrClosed(demo.status)) {
    // No email was sent to these customers, so notifications announces no survey: analytics reads it from the ticket's history.
    await saveSentSurvey(tx, { organization_id: ctx.organization_id, ticket_id: written.id, sent_at: at(steps) });
  }
  if (survey) await saveSurvey(tx, ctx, written, survey, at(steps + 0.8));
}

/** Widget tickets are verified: the demo's own website identifies its visitors. */
function originOf(
  organization_id: string,
  { follows }: DemoTicket,
  index: number,
): Pick<NewTicket, 'channel' | 'follow_up_of_id' | 'customer_verified'> {
  const channel = follows === undefined ? channels[index % channels.length]! : 'portal';
  const follow_up_of_id = follows === undefined ? null : demoId(organization_id, follows);
  return { channel, follow_up_of_id, customer_verified: channel === 'widget' };
}

function authorOf(who: 'customer' | 'staff' | 'note', ticket: Omit<Ticket, 'assignee'>) {
  if (who !== 'customer') return { author: { user_id: ticket.assigned_to } };
  return { author: { customer_email: ticket.customer_email }, status: statusAfterCustomerComment(ticket.status) };
}
