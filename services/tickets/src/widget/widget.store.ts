import type { DataOf, widgetUpdated } from '@tandem/contracts';
import type { TicketsTx, WidgetRow } from '../schema';

/** Saves the newest state: an event older than the stored one changes nothing. */
export async function saveWidget(tx: TicketsTx, data: DataOf<typeof widgetUpdated>, sequence: number): Promise<void> {
  const { organization_id, identity_required, sealed_secret } = data;
  const state = { identity_required, sealed_secret, sequence };
  await tx
    .insertInto('widgets')
    .values({ organization_id, ...state })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(state).where('widgets.sequence', '<', sequence))
    .execute();
}

export const findWidget = (tx: TicketsTx, organization_id: string): Promise<WidgetRow | undefined> =>
  tx.selectFrom('widgets').selectAll().where('organization_id', '=', organization_id).executeTakeFirst();
