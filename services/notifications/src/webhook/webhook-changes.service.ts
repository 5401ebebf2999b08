import { Controller } from '@nestjs/common';
import { listChanges, type InputOf, type OutputOf, type TenantContext, type WebhookEvent } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles, writeEarlierCommits } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { findChanges, findLastPosition } from './webhook-event.store';

/** Positions are at most 19 digits, but not every number of 19 digits is a bigint. */
const maxPosition = 9_223_372_036_854_775_807n;

/** The stored events as a feed. */
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
        writeEarlierCommits(tx);
        return { events: [], positions: [], next: String(await findLastPosition(tx, organization_id)), end_of_stream: true };
      }
      const from = BigInt(after) > maxPosition ? maxPosition : BigInt(after);
      // One more than the page, to know whether there are more.
      const rows = await findChanges(tx, organization_id, { after: String(from), limit: limit + 1, internal });
      const page = rows.slice(0, limit);
      // Events are stored without waiting for the disk. After a crash of PostgreSQL, an undone position would be given to another event.
      if (page.at(-1)?.is_recent) writeEarlierCommits(tx);
      return {
        events: page.map(({ body }) => JSON.parse(body) as WebhookEvent),
        positions: page.map(({ position }) => String(position)),
        next: String(page.at(-1)?.position ?? from),
        end_of_stream: rows.length <= limit,
      };
    });
  }
}
