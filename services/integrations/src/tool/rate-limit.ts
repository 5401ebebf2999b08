import { sql } from 'kysely';
import type { RateState } from '../provider/task-tool';
import type { ConnectionRow, IntegrationsTx } from '../schema';
import { backOffMs, outageThreshold } from '../engine/back-off';
import { updateLinks } from '../engine/link-state';
import type { Urgency } from '../engine/link-values';

/** This share of the common limit is reserved for calls that a person waits for. */
const reservedShare = 0.2;

export type Slot = { connection: ConnectionRow } | { retry_at: string } | 'lease lost';

/** Assumed length of a rate-limit window whose end the tool has not reported. */
const assumedWindow = sql`interval '1 minute'`;
const isWindowOver = sql<boolean>`coalesce(rate_reset_at, rate_window_start + ${assumedWindow}, '-infinity') <= now()`;

/**
 * Takes one call from the rate limit of the connection's token. Returns the current connection (its token may have changed since the
 * last call), or the time of the next free slot. If the window has expired, a new one starts; it is assumed to last one minute until the
 * tool reports its reset time. While the tool is down, only calls that a person waits for are tried. `lease` is the lease of the calling
 * worker; once it is lost, no call is made.
 */
export async function acquireSlot(tx: IntegrationsTx, connection_id: string, urgency: Urgency, lease?: string): Promise<Slot | undefined> {
  const share = urgency === 0 ? 0 : reservedShare;
  const taken = await tx
    .updateTable('connections')
    .set({
      rate_remaining: sql<number>`case when ${isWindowOver} then rate_limit else rate_remaining end - 1`,
      rate_reset_at: sql<string>`case when ${isWindowOver} then null else rate_reset_at end`,
      rate_window_start: sql<string>`case when ${isWindowOver} then now() else rate_window_start end`,
    })
    .where('id', '=', connection_id)
    .$if(lease !== undefined, (query) => query.where('lease_id', '=', lease!).where('lease_until', '>', sql<string>`clock_timestamp()`))
    .where(sql<boolean>`(blocked_until is null or blocked_until <= now() or (block_reason = 'unreachable' and ${urgency}::int = 0))`)
    .where(sql<boolean>`(rate_limit is null or ${isWindowOver} or rate_remaining > floor(rate_limit * ${share}::numeric))`)
    .returningAll()
    .executeTakeFirst();
  if (taken) return { connection: taken };
  const waiting = await tx
    .selectFrom('connections')
    .select(
      sql<string>`greatest(now() + interval '50 milliseconds', blocked_until, case when blocked_until > now() then null
        else coalesce(rate_reset_at, rate_window_start + ${assumedWindow}, now() + interval '1 second') end)`.as('retry_at'),
    )
    .select(sql<boolean>`lease_id is not distinct from ${lease ?? null}::uuid and lease_until > clock_timestamp()`.as('is_held'))
    .where('id', '=', connection_id)
    .executeTakeFirst();
  if (waiting && lease !== undefined && !waiting.is_held) return 'lease lost';
  return waiting && { retry_at: waiting.retry_at };
}

/**
 * Records that the tool answered, with any status. Returns true when the tool had been down: waiting work then resumes and the lists are
 * read.
 */
export async function recordResponse(tx: IntegrationsTx, connection_id: string, rate: RateState | undefined): Promise<boolean> {
  const [limit, remaining, reset] = [rate?.limit ?? null, rate?.remaining ?? null, rate?.reset_at ?? null];
  // Calls in flight have already been counted here, so within one window the smaller number is the right one.
  const { rows } = await sql<{ failures: number }>`
    update connections set
      rate_limit = coalesce(${limit}::int, rate_limit),
      rate_remaining = case
        when ${remaining}::int is null or rate_reset_at > ${reset}::timestamptz then rate_remaining
        when rate_reset_at is null or rate_reset_at = ${reset}::timestamptz(3) then least(rate_remaining, ${remaining}::int)
        else ${remaining}::int end,
      rate_reset_at = greatest(rate_reset_at, ${reset}::timestamptz)
    where id = ${connection_id}
    returning failures`.execute(tx);
  const failures = rows[0]?.failures ?? 0;
  if (failures > 0) await clearFailures(tx, connection_id);
  if (failures < outageThreshold) return false;
  await resumeAfterOutage(tx, connection_id);
  return true;
}

/** Needs a row that this transaction has already updated: locking and updating it in one statement lets several transactions deadlock. */
async function clearFailures(tx: IntegrationsTx, connection_id: string): Promise<void> {
  const unlessAway = <Column extends 'blocked_until' | 'block_reason'>(column: Column) =>
    sql<ConnectionRow[Column]>`case when block_reason = 'unreachable' then null else ${sql.ref(column)} end`;
  await tx
    .updateTable('connections')
    .set({ failures: 0, blocked_until: unlessAway('blocked_until'), block_reason: unlessAway('block_reason') })
    .where('id', '=', connection_id)
    .execute();
}

/** The tool reported that the rate limit is used up. */
export async function recordRateLimit(tx: IntegrationsTx, connection_id: string, retry_at: string): Promise<void> {
  await tx
    .updateTable('connections')
    .set({
      rate_remaining: sql<number>`case when rate_limit is null then null else 0 end`,
      rate_reset_at: retry_at,
      blocked_until: retry_at,
      block_reason: 'rate_limit',
    })
    .where('id', '=', connection_id)
    .execute();
}

/**
 * The tool did not answer, or answered with invalid content. After several failures in a row, all calls wait until the back-off has passed.
 */
export async function recordOutage(tx: IntegrationsTx, connection_id: string): Promise<void> {
  const noted = await tx
    .updateTable('connections')
    // As far as we know, the tool did not count this call against its limit.
    .set((eb) => ({ failures: eb('failures', '+', 1), rate_remaining: sql<number>`least(rate_limit, rate_remaining + 1)` }))
    .where('id', '=', connection_id)
    .returning('failures')
    .executeTakeFirst();
  if (!noted || noted.failures < outageThreshold) return;
  const seconds = backOffMs(noted.failures - outageThreshold + 1) / 1_000;
  // The lists are read first once the tool answers again: writing a task overwrites its change time and would hide an earlier change.
  if (noted.failures === outageThreshold) await makeListsDue(tx, connection_id);
  await tx
    .updateTable('connections')
    .set({ blocked_until: sql<string>`now() + make_interval(secs => ${seconds})`, block_reason: 'unreachable' })
    .where('id', '=', connection_id)
    .execute();
}

/** Webhooks may have been lost during the outage, so the lists are read. Links that waited for a retry are due now. */
export async function resumeAfterOutage(tx: IntegrationsTx, connection_id: string): Promise<void> {
  const now = sql<string>`now()`;
  await makeListsDue(tx, connection_id);
  await updateLinks(tx)
    .set({ next_sync_at: now, attempts: 0 })
    .where('connection_id', '=', connection_id)
    .where('next_sync_at', '>', now)
    .where('attempts', '>', 0)
    .execute();
}

async function makeListsDue(tx: IntegrationsTx, connection_id: string): Promise<void> {
  await tx
    .updateTable('integrations')
    .set({ next_check_at: sql<string>`now()` })
    .where('connection_id', '=', connection_id)
    .where('is_active', '=', true)
    .execute();
}
