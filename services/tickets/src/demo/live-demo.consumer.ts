import { Injectable } from '@nestjs/common';
import { demoStarted, systemContext, type DataOf, type Envelope, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import type { TicketsSchema, TicketsTx } from '../schema';
import { seedDemoHistory } from './seed-demo-history';
import { demoId, isDemoKnown, writeDemoTickets } from './seed-demo-tickets';
import { hasTicket } from '../ticket/ticket.store';

/** The events of organization and members come through other consumers, usually within a second. */
const backoffMs = [200, 300, 500, 1_000, 2_000, 10_000];
/** Analytics compares the last 30 days with the 30 before. */
const historyDays = 60;

/** Fills a live demo: first the tickets that the visitor sees in the list, then the history that analytics shows. */
@Injectable()
export class LiveDemo {
  #isWritingHistory = false;

  constructor(private readonly db: Database<TicketsSchema>) {}

  @Consumes(demoStarted, { name: 'live-demo-tickets', from: 'beginning', backoffMs })
  async writeTickets(ctx: TenantContext, { member_ids }: DataOf<typeof demoStarted>, tx: TicketsTx): Promise<void> {
    if (!(await isDemoKnown(tx, member_ids))) throw new Error('The demo organization or its members have not arrived yet');
    const { organization_id } = ctx;
    await writeDemoTickets(tx, systemContext(organization_id, 'demo'), { organization_id, member_ids }, new Date());
  }

  /**
   * In transactions of its own, so that the visitor can work with tickets in between. It continues where it was interrupted. One at a time in
   * each process, because it needs two connections; the others are tried again.
   */
  @Consumes(demoStarted, { name: 'live-demo-history', from: 'beginning', backoffMs, attempts: 300 })
  async writeHistory(
    ctx: TenantContext,
    { member_ids }: DataOf<typeof demoStarted>,
    tx: TicketsTx,
    envelope: Pick<Envelope, 'time'>,
  ): Promise<void> {
    const { organization_id } = ctx;
    if (!(await hasTicket(tx, demoId(organization_id, 0)))) throw new Error('The tickets of the demo have not been written yet');
    if (this.#isWritingHistory) throw new Error('The history of another demo is being written');
    this.#isWritingHistory = true;
    try {
      await seedDemoHistory(this.db, { organization_id, member_ids }, new Date(envelope.time), historyDays);
    } finally {
      this.#isWritingHistory = false;
    }
  }
}
