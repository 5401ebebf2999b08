import { Injectable } from '@nestjs/common';
import { rollUpDays, ticketHistories, ticketHistoryCompleted, type DataOf, type TenantContext } from '@tandem/contracts';
import { Consumes, Jobs } from '@tandem/messaging';
import type { AnalyticsTx } from '../schema';
import { applyHistories } from './history';
import { isHistoryComplete, saveExpected } from './rebuild.store';

@Injectable()
export class RebuildConsumer {
  constructor(private readonly jobs: Jobs) {}

  /** Not announced: open pages would reload for each part of a rebuild. */
  @Consumes(ticketHistories, { name: 'histories-facts', from: 'beginning' })
  async onHistories(ctx: TenantContext, { histories }: DataOf<typeof ticketHistories>, tx: AnalyticsTx): Promise<void> {
    await applyHistories(tx, ctx.organization_id, histories);
    await this.#continue(tx, ctx);
  }

  /** Histories may arrive after this event, so it contains their number. */
  @Consumes(ticketHistoryCompleted, { name: 'history-completion', from: 'beginning' })
  async onCompleted(ctx: TenantContext, { rebuild_id, count }: DataOf<typeof ticketHistoryCompleted>, tx: AnalyticsTx): Promise<void> {
    await saveExpected(tx, rebuild_id, count);
    await this.#continue(tx, ctx);
  }

  /** Instead of waiting for the sweep. */
  async #continue(tx: AnalyticsTx, ctx: TenantContext): Promise<void> {
    if (await isHistoryComplete(tx)) this.jobs.add(tx, ctx, rollUpDays, {}, { id: ctx.organization_id });
  }
}
