import { systemContext, type TenantContext } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import { writeComment } from '../comment/comment.service';
import { emitHistories } from '../export/ticket-export.worker';
import type { TicketsSchema, TicketsTx } from '../schema';
import { announceDue } from '../sla/sla-timers';
import { findCalendar } from '../sla/sla.store';
import { saveSurvey } from '../survey/survey.service';
import { saveSentSurvey } from '../survey/survey.store';
import { changeTicket, getTicketForUpdate, writeTicket } from '../ticket/ticket.service';
import { hasTicket } from '../ticket/ticket.store';
import { pastTickets, type PastStep, type PastTicket } from './demo-history';
import { demoCustomers } from './demo-tickets';
import { demoId, demoPolicies, type DemoOrganization } from './seed-demo-tickets';

const hourMs = 3_600_000;
/** Tickets per transaction. A ticket that is created at the same time waits for its number until the transaction ends. */
const batch = 10;

/**
 * Writes the past 90 days of the demo organization, after its own tickets exist, as if imported from another help desk:
 * each ticket with its whole history in one transaction, so that no timer runs for it. It can be repeated after an interruption.
 * Returns the number of tickets written.
 *
 * @param days only tickets that were created in the last `days` days, 90 at most
 */
export async function seedDemoHistory(db: Database<TicketsSchema>, demo: DemoOrganization, now = new Date(), days = 90): Promise<number> {
  const ctx = systemContext(demo.organization_id, 'demo');
  const since = new Date(now.getTime() - days * 24 * hourMs).toISOString();
  const past = pastTickets(await db.forTenant(ctx, findCalendar), now).filter(({ created_at }) => created_at >= since);
  let written = 0;
  for (let from = 0; from < past.length; from += batch) {
    written += await db.forTenant(ctx, async (tx) => {
      // A concurrent seeder waits for this lock and then finds the tickets of the first.
      await tx.selectFrom('ticket_counters').select('prefix').forUpdate().execute();
      const ids: string[] = [];
      for (const [index, ticket] of past.slice(from, from + batch).entries()) {
        const id = demoId(demo.organization_id, `past ${from + index}`);
        if (await hasTicket(tx, id)) continue;
        await writePastTicket(tx, ctx, demo.member_ids, ticket, id);
        ids.push(id);
      }
      // No email was sent to these customers, so notifications announces no survey: analytics reads it from the ticket's history.
      await emitHistories(tx, ctx, ids);
      return ids.length;
    });
  }
  return written;
}

async function writePastTicket(tx: TicketsTx, ctx: TenantContext, member_ids: string[], past: PastTicket, id: string): Promise<void> {
  const { created_at, customer, assignee, steps, survey, ...fields } = past;
  const [customer_name, customer_email] = demoCustomers[customer];
  const input = { ...fields, customer_verified: past.channel === 'widget', customer_email, customer_name };
  const ticket = await writeTicket(tx, ctx, input, created_at, id);
  if (!ticket) throw new Error('The organization has no ticket prefix');
  const user_id = member_ids[assignee % member_ids.length]!;
  for (const step of withEscalation(past)) await takeStep(tx, ctx, id, user_id, step);
  const last = steps.at(-1)!;
  if (last.kind === 'reply') await saveSentSurvey(tx, { organization_id: ctx.organization_id, ticket_id: id, sent_at: last.at });
  if (survey) await saveSurvey(tx, ctx, ticket, survey, survey.created_at);
}

/** The timers are checked once, when the ticket escalates. */
function withEscalation({ created_at, priority, steps }: PastTicket): PastStep[] {
  const policy = demoPolicies.find(({ priority_level }) => priority_level === priority)!;
  const at = new Date(Date.parse(created_at) + policy.escalation_time_hours * hourMs).toISOString();
  const before = steps.filter((step) => step.at < at);
  return before.length === steps.length ? steps : [...before, { at, kind: 'check' }, ...steps.slice(before.length)];
}

async function takeStep(tx: TicketsTx, ctx: TenantContext, id: string, user_id: string, step: PastStep): Promise<void> {
  if (step.kind === 'check') return announceDue(tx, ctx, id, step.at);
  if (step.kind === 'status') {
    await changeTicket(tx, ctx, id, { status: step.status }, { now: step.at });
    return;
  }
  const before = await getTicketForUpdate(tx, id);
  const isReply = step.kind === 'reply';
  const author = isReply ? { user_id } : { customer_email: before.customer_email };
  const changes = { status: step.status, ...(isReply && { assigned_to: user_id }) };
  await writeComment(tx, ctx, before, { content: step.content, is_internal: false, author, changes }, step.at);
}
