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

interface RefreshDeps {
  db: Database<IntegrationsSchema>;
  secrets: Secrets;
  settings: ToolSettings;
}

/** A refresh that took longer than this counts as crashed, and another process may start one. */
const leaseSeconds = 15;
const pollMs = 100;

/**
 * The connection with a token that is valid for some minutes. One process refreshes at a time and the others use its result, because a
 * rotating refresh token works only once. No transaction is open during the call: `refresh_lease_until` marks the refresh in progress.
 */
export async function refreshIfDue(deps: RefreshDeps, tool: TaskTool, connection: ConnectionRow): Promise<{ connection: ConnectionRow }> {
  if (!tool.refreshRequest || !isDue(connection)) return { connection };
  const { id, organization_id } = connection;
  const ctx = systemContext(organization_id, `refresh-${id}`);
  let current = connection;
  for (const until = Date.now() + leaseSeconds * 1_000; ; await new Promise((resolve) => setTimeout(resolve, pollMs))) {
    const claimed = await deps.db.forTenant(ctx, (tx) => startRefresh(tx, current));
    if (claimed) return { connection: await refresh(deps, tool, claimed) };
    const now = await deps.db.forTenant(ctx, (tx) => tx.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst());
    if (!now || !isDue(now)) return { connection: now ?? current };
    current = now;
    if (Date.now() > until) throw new ToolError('unreachable', `${tool.name} did not refresh its token in time`);
  }
}

/** Undefined if another process is refreshing, or has done so. */
const startRefresh = (tx: IntegrationsTx, { id, sealed_refresh_token }: ConnectionRow): Promise<ConnectionRow | undefined> =>
  tx
    .updateTable('connections')
    .set({ refresh_lease_until: sql<string>`clock_timestamp() + make_interval(secs => ${leaseSeconds})` })
    .where('id', '=', id)
    .where('sealed_refresh_token', '=', sealed_refresh_token)
    .where(sql<boolean>`(refresh_lease_until is null or refresh_lease_until < clock_timestamp())`)
    .returningAll()
    .executeTakeFirst();

async function refresh(deps: RefreshDeps, tool: TaskTool, connection: ConnectionRow): Promise<ConnectionRow> {
  const { db, secrets } = deps;
  const ctx = systemContext(connection.organization_id, `refresh-${connection.id}`);
  // A reconnect in the meantime has stored a newer token: do not overwrite it.
  const save = (values: Partial<ConnectionRow>) =>
    db.forTenant(ctx, (tx) =>
      tx
        .updateTable('connections')
        .set({ ...values, refresh_lease_until: null })
        .where('id', '=', connection.id)
        .where('sealed_refresh_token', '=', connection.sealed_refresh_token)
        .returningAll()
        .executeTakeFirst(),
    );
  try {
    const fresh = await exchange(deps, tool, connection);
    const saved = await save({
      sealed_token: secrets.seal(tokenPurpose, fresh.token),
      ...(fresh.refresh_token && { sealed_refresh_token: secrets.seal(refreshTokenPurpose, fresh.refresh_token) }),
      token_expires_at: fresh.expires_at ?? null,
    });
    return saved ?? connection;
  } catch (error) {
    await save({});
    throw error;
  }
}

const isDue = ({ sealed_refresh_token, token_expires_at }: ConnectionRow): boolean =>
  sealed_refresh_token !== null && token_expires_at !== null && Date.parse(token_expires_at) < Date.now() + earlyMs;

async function exchange({ secrets, settings }: RefreshDeps, tool: TaskTool, { sealed_refresh_token }: ConnectionRow) {
  const request = tool.refreshRequest?.(settings, secrets.open(refreshTokenPurpose, sealed_refresh_token ?? ''));
  if (!request) throw new ToolError('unauthorized', `${tool.name} is not configured to refresh its token`);
  const { status, body } = await sendToTool({ method: 'POST', ...request, timeoutMs });
  const token = status < 400 ? tool.readToken(body) : undefined;
  if (token) return token;
  throw new ToolError(status >= 500 ? 'unreachable' : 'unauthorized', `${tool.name} did not refresh its token`, { status });
}
