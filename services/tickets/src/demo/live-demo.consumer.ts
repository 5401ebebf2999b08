import { Injectable } from '@nestjs/common';
import { demoStarted, systemContext, writeDemoHistory, type DataOf, type Envelope, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Consumes, HandlesJob, Jobs, Recovers, type PendingJob } from '@tandem/messaging';
import type { TicketsSchema, TicketsTx } from '../schema';
import { seedDemoHistory } from './seed-demo-history';
import { isDemoKnown, writeDemoTickets } from './seed-demo-tickets';

/** The events of organization and members are handled by other consumers, usually within a second. */
const backoffMs = [200, 300, 500, 1_000, 2_000, 10_000];
/** Analytics compares the last 30 days with the 30 before. */
const historyDays = 60;

/** Fills a live demo: first the tickets that the visitor sees in the list, then, in a job, the history that analytics shows. */
@Injectable()
export class LiveDemo {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly jobs: Jobs,
  ) {}

  @Consumes(demoStarted, { name: 'live-demo-tickets', from: 'beginning', backoffMs })
  async writeTickets(
    ctx: TenantContext,
    { member_ids }: DataOf<typeof demoStarted>,
    tx: TicketsTx,
    { time }: Pick<Envelope, 'time'>,
  ): Promise<void> {
    if (!(await isDemoKnown(tx, member_ids))) throw new Error('The demo organization or its members have not arrived yet');
    const { organization_id } = ctx;
    const system = systemContext(organization_id, 'demo');
    await writeDemoTickets(tx, system, { organization_id, member_ids }, new Date());
    await tx
      .insertInto('demo_histories')
      .values({ organization_id, member_ids, started_at: time })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    this.jobs.add(tx, system, writeDemoHistory, {}, { id: organization_id });
  }

  @Recovers(writeDemoHistory)
  async findUnwrittenAcrossOrganizations(): Promise<PendingJob<typeof writeDemoHistory>[]> {
    const rows = await this.db.asSystem('live demos without a complete history', (tx) =>
      tx.selectFrom('demo_histories').select('organization_id').orderBy('started_at').limit(100).execute(),
    );
    return rows.map(({ organization_id: id }) => ({ id, ctx: systemContext(id, 'demo'), data: {} }));
  }

  /** In several transactions, so that the visitor can work with tickets in between. It continues where it was interrupted. */
  @HandlesJob(writeDemoHistory, { concurrency: 1 })
  async writeHistory(ctx: TenantContext): Promise<void> {
    const pending = await this.db.forTenant(ctx, (tx) =>
      tx.selectFrom('demo_histories').select(['organization_id', 'member_ids', 'started_at']).executeTakeFirst(),
    );
    // The history is complete, or the demo has been deleted.
    if (!pending) return;
    await seedDemoHistory(this.db, pending, new Date(pending.started_at), historyDays);
    await this.db.forTenant(ctx, (tx) => tx.deleteFrom('demo_histories').where('organization_id', '=', ctx.organization_id).execute());
  }
}
