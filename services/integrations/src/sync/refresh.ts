import { systemContext } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import type { Secrets } from '@tandem/platform';
import { sql } from 'kysely';
import { refreshTokenPurpose, tokenPurpose } from '../connection/connection';
import { sendToTool } from '../provider/call';
import { ToolError, type TaskTool, type ToolSettings } from '../provider/task-tool';
import type { ConnectionRow, IntegrationsSchema, IntegrationsTx } from '../schema';

/** A token that expires sooner than this is refreshed before it is used. */
const earlyMs = 5 * 60_000;
const timeoutMs = 10_000;

interface Surroundings {
  db: Database<IntegrationsSchema>;
  secrets: Secrets;
  settings: ToolSettings;
}

/** A refresh that took longer than this counts as crashed, and another process may start one. */
const leaseSeconds = 15;
const glanceMs = 100;

/**
 * The connection with a token that is valid for some minutes. One process refreshes at a time and the others use its result, because a
 * rotating refresh token works only once. No transaction is open during the call: `refreshing_until` marks the refresh in progress.
 */
export async function refreshIfDue(
  around: Surroundings,
  tool: TaskTool,
  connection: ConnectionRow,
): Promise<{ connection: ConnectionRow }> {
  if (!tool.refreshRequest || !isDue(connection)) return { connection };
  const { id, organization_id } = connection;
  const ctx = systemContext(organization_id, `refresh-${id}`);
  for (const until = Date.now() + leaseSeconds * 1_000; ; await new Promise((resolve) => setTimeout(resolve, glanceMs))) {
    const mine = await around.db.forTenant(ctx, (tx) => begin(tx, connection));
    if (mine) return { connection: await refresh(around, tool, mine) };
    const now = await around.db.forTenant(ctx, (tx) => tx.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst());
    if (!now || !isDue(now)) return { connection: now ?? connection };
    connection = now;
    if (Date.now() > until) throw new ToolError('away', `${tool.name} did not refresh its token in time`);
  }
}

/** Undefined if another process is refreshing, or has done so. */
const begin = (tx: IntegrationsTx, { id, sealed_refresh_token }: ConnectionRow): Promise<ConnectionRow | undefined> =>
  tx
    .updateTable('connections')
    .set({ refreshing_until: sql<string>`clock_timestamp() + make_interval(secs => ${leaseSeconds})` })
    .where('id', '=', id)
    .where('sealed_refresh_token', '=', sealed_refresh_token)
    .where(sql<boolean>`(refreshing_until is null or refreshing_until < clock_timestamp())`)
    .returningAll()
    .executeTakeFirst();

async function refresh(around: Surroundings, tool: TaskTool, mine: ConnectionRow): Promise<ConnectionRow> {
  const { db, secrets } = around;
  const ctx = systemContext(mine.organization_id, `refresh-${mine.id}`);
  // A reconnect in the meantime has stored a newer token: do not overwrite it.
  const keep = (values: Partial<ConnectionRow>) =>
    db.forTenant(ctx, (tx) =>
      tx
        .updateTable('connections')
        .set({ ...values, refreshing_until: null })
        .where('id', '=', mine.id)
        .where('sealed_refresh_token', '=', mine.sealed_refresh_token)
        .returningAll()
        .executeTakeFirst(),
    );
  try {
    const fresh = await exchange(around, tool, mine);
    const kept = await keep({
      sealed_token: secrets.seal(tokenPurpose, fresh.token),
      ...(fresh.refresh_token && { sealed_refresh_token: secrets.seal(refreshTokenPurpose, fresh.refresh_token) }),
      token_expires_at: fresh.expires_at ?? null,
    });
    return kept ?? mine;
  } catch (error) {
    await keep({});
    throw error;
  }
}

const isDue = ({ sealed_refresh_token, token_expires_at }: ConnectionRow): boolean =>
  sealed_refresh_token !== null && token_expires_at !== null && Date.parse(token_expires_at) < Date.now() + earlyMs;

async function exchange({ secrets, settings }: Surroundings, tool: TaskTool, { sealed_refresh_token }: ConnectionRow) {
  const request = tool.refreshRequest?.(settings, secrets.open(refreshTokenPurpose, sealed_refresh_token ?? ''));
  if (!request) throw new ToolError('unauthorized', `${tool.name} is not configured to refresh its token`);
  const { status, body } = await sendToTool({ method: 'POST', ...request, timeoutMs });
  const token = status < 400 ? tool.readToken(body) : undefined;
  if (token) return token;
  throw new ToolError(status >= 500 ? 'away' : 'unauthorized', `${tool.name} did not refresh its token`, { status });
}
