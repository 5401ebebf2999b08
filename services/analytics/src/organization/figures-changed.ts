import { metricsUpdated, type Context } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import type { AnalyticsTx } from '../schema';

/** Open pages of the context's organization reload its figures after the commit. */
export async function announceFigures(tx: AnalyticsTx, ctx: Context): Promise<void> {
  if (ctx.organization_id !== null) await emit(tx, ctx, metricsUpdated, ctx.organization_id, {});
}
