import { Injectable } from '@nestjs/common';
import { ticketHistoryCompleted, type DataOf, type TenantContext } from '@tandem/contracts';
import { Consumes } from '@tandem/messaging';
import type { AnalyticsTx } from '../schema';
import { saveExpected } from './rebuild.store';

@Injectable()
export class RebuildConsumer {
  /** The histories may still be in transit: their number shows when all have arrived. */
  @Consumes(ticketHistoryCompleted, { name: 'history-completion', from: 'beginning' })
  onCompleted(_ctx: TenantContext, { rebuild_id, count }: DataOf<typeof ticketHistoryCompleted>, tx: AnalyticsTx): Promise<void> {
    return saveExpected(tx, rebuild_id, count);
  }
}
