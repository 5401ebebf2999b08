import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@tandem/db';
import { sql } from 'kysely';

const pauseMs = 50;
/** After this time the broker is considered down; the sweeper resumes the work later. */
const brokerTimeoutMs = 20_000;

/**
 * Waits until fewer than `maxUnpublished` events are unpublished, so that users' events do not queue behind thousands of others. False if that
 * takes too long.
 */
export async function hasOutboxCapacity<S>(db: Database<S>, maxUnpublished: number): Promise<boolean> {
  for (const deadline = Date.now() + brokerTimeoutMs; Date.now() < deadline; await sleep(pauseMs)) {
    // Counted up to the limit.
    const { rows } = await db.asSystem('unpublished events', (tx) =>
      sql<{ count: number }>`
        select count(*)::integer as count from (select from outbox where published_at is null limit ${maxUnpublished}) waiting`.execute(tx),
    );
    if (rows[0]!.count < maxUnpublished) return true;
  }
  return false;
}
