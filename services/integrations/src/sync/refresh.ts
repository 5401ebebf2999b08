import { systemContext } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import type { Secrets } from '@tandem/platform';
import { refreshTokenPurpose, tokenPurpose } from '../connection/connection';
import { sendToTool } from '../provider/call';
import { ToolError, type TaskTool, type ToolSettings } from '../provider/task-tool';
import type { ConnectionRow, IntegrationsSchema } from '../schema';

/** A token that ends sooner than this is exchanged before it is used. */
const earlyMs = 5 * 60_000;
const timeoutMs = 10_000;

interface Surroundings {
  db: Database<IntegrationsSchema>;
  secrets: Secrets;
  settings: ToolSettings;
}

/**
 * The connection with a token that is still good for some minutes. One process refreshes at a time and the others take what it got: a refresh
 * token that rotates dies with its first use. For that alone the row stays locked during the call, 10 s at most.
 */
export async function refreshIfDue(
  around: Surroundings,
  tool: TaskTool,
  connection: ConnectionRow,
): Promise<{ connection: ConnectionRow }> {
  if (!tool.refreshRequest || !isDue(connection)) return { connection };
  const ctx = systemContext(connection.organization_id, `refresh-${connection.id}`);
  return around.db.forTenant(ctx, async (tx) => {
    const locked = await tx.selectFrom('connections').selectAll().where('id', '=', connection.id).forUpdate().executeTakeFirst();
    if (!locked || !isDue(locked)) return { connection: locked ?? connection };
    const fresh = await exchange(around, tool, locked);
    const sealed = {
      sealed_token: around.secrets.seal(tokenPurpose, fresh.token),
      sealed_refresh_token: fresh.refresh_token
        ? around.secrets.seal(refreshTokenPurpose, fresh.refresh_token)
        : locked.sealed_refresh_token,
      token_expires_at: fresh.expires_at ?? null,
    };
    const kept = await tx.updateTable('connections').set(sealed).where('id', '=', locked.id).returningAll().executeTakeFirstOrThrow();
    return { connection: kept };
  });
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
