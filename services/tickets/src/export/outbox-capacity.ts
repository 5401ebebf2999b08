import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@tandem/db';
import type { TicketsSchema } from '../schema';
import { countUnpublished } from './ticket-export.store';

const pauseMs = 50;
/** After this time the broker is considered down; the sweeper resumes the work later. */
const brokerTimeoutMs = 20_000;

/**
 * Waits until fewer than `maxUnpublished` events are unpublished, so that users' events do not queue behind those of thousands of tickets.
 * False if that takes too long.
 */
export async function hasOutboxCapacity(db: Database<TicketsSchema>, maxUnpublished: number): Promise<boolean> {
  for (const deadline = Date.now() + brokerTimeoutMs; Date.now() < deadline; await sleep(pauseMs)) {
    if ((await db.asSystem('unpublished events', (tx) => countUnpublished(tx, maxUnpublished))) < maxUnpublished) return true;
  }
  return false;
}
