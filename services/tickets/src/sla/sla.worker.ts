import { Injectable } from '@nestjs/common';
import { checkSla, systemContext, type Context, type JobDataOf } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Sweeps, Works, type PendingJob } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import { momentAfter } from '../ticket/ticket';
import { findTicketById, findTicketForUpdate, saveTicket } from '../ticket/ticket.store';
import { sayWhatIsDue } from './sla';
import { findClocks, findDueClocksAcrossOrganizations, saveClocks } from './sla.store';
import { say, scaleOf } from './ticket-clocks';

/** Ten thousand that are due at once take five sweeps; a sweep's list stays small in memory and in Redis. */
const mostAtOnce = 2_000;

/** Warnings, breaches and escalations, each once: a row of `sla_clocks` says when to look, and what has been said. */
@Injectable()
export class SlaWorker {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Sweeps(checkSla)
  async findDue(): Promise<PendingJob<typeof checkSla>[]> {
    const due = await this.db.asSystem('clocks of everybody that have something to say', (tx) =>
      findDueClocksAcrossOrganizations(tx, mostAtOnce),
    );
    return due.map(({ organization_id, ticket_id }) => ({
      id: ticket_id,
      ctx: systemContext(organization_id, `sla-${ticket_id}`),
      data: { ticket_id },
    }));
  }

  /** Under the ticket's lock: two workers come one after the other, and the second finds nothing due. */
  @Works(checkSla)
  check(ctx: Context, { ticket_id }: JobDataOf<typeof checkSla>): Promise<void> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await findTicketForUpdate(tx, ticket_id);
      const found = before && (await findClocks(tx, before));
      if (!found) return;
      const now = momentAfter(before.updated_at);
      const { ticket: fields, clocks, sayings } = sayWhatIsDue(before, found.clocks, found.calendar, now);
      await saveClocks(tx, before, clocks);
      // A warning changes nothing on the ticket: its version stays, and nobody's edit is refused for it.
      const isChanged = sayings.some(({ kind }) => kind !== 'warning');
      const ticket = isChanged ? await saveTicket(tx, ticket_id, fields, now) : await findTicketById(tx, ticket_id);
      for (const saying of sayings) await say(tx, ctx, ticket!, saying, now, scaleOf(found));
    });
  }
}
