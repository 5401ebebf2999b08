import { Controller } from '@nestjs/common';
import { listChanges, type InputOf, type OutputOf, type TenantContext, type WebhookEvent } from '@tandem/contracts';
import { Database, ignoreWritesSoFar } from '@tandem/db';
import { Handles, writeEarlierCommits } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import type { WebhookTx } from './webhook-endpoint.store';
import { findChanges, findLastPosition } from './webhook-event.store';

/** Positions are at most 19 digits, but not every number of 19 digits is a bigint. */
const maxPosition = 9_223_372_036_854_775_807n;

/** The stored events of tickets as a feed. */
@Controller()
export class WebhookChanges {
  constructor(private readonly db: Database<NotificationsSchema>) {}

  @Handles(listChanges)
  list(ctx: TenantContext, { query }: InputOf<typeof listChanges>): Promise<OutputOf<typeof listChanges>> {
    const { after = '0', limit } = query;
    const { organization_id } = ctx;
    const internal = query.include_internal_notes === 'true';
    return this.db.forTenant(ctx, async (tx) => {
      if (after === 'now') {
        const next = String(await findLastPosition(tx, organization_id));
        keepPositions(tx);
        return { events: [], positions: [], next, end_of_stream: true };
      }
      const from = BigInt(after) > maxPosition ? maxPosition : BigInt(after);
      // One more than the page, to know whether there are more.
      const rows = await findChanges(tx, organization_id, { after: String(from), limit: limit + 1, internal });
      const page = rows.slice(0, limit);
      if (page.at(-1)?.is_recent) keepPositions(tx);
      return {
        events: page.map(({ body }) => JSON.parse(body) as WebhookEvent),
        positions: page.map(({ position }) => String(position)),
        next: String(page.at(-1)?.position ?? from),
        end_of_stream: rows.length <= limit,
      };
    });
  }
}

/** Events are stored without waiting for the disk. After a crash of PostgreSQL, an undone position would be given to another event. */
function keepPositions(tx: WebhookTx): void {
  // The transaction has only read: polls must not end the 304 responses of open pages.
  ignoreWritesSoFar(tx);
  writeEarlierCommits(tx);
}
