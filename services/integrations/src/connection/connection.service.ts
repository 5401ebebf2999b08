import { Controller, Inject } from '@nestjs/common';
import {
  AppError,
  authorizeTaskTool,
  completeTaskToolAuthorization,
  connectTaskTool,
  disconnectTaskTool,
  readTaskToolConnections,
  taskToolChanged,
  taskToolConnected,
  type Context,
  type InputOf,
  type TaskToolConnection,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles, Jobs } from '@tandem/messaging';
import { hashToken, newToken, Secrets } from '@tandem/platform';
import type { IntegrationsConfig } from '../config';
import { unlinkAll, removeWebhooks } from '../integration/unlink';
import { sendToTool } from '../provider/call';
import { findTaskTool } from '../provider/registry';
import { ToolError, type ExternalUser, type TaskTool, type ToolAccess } from '../provider/task-tool';
import type { ConnectionRow, IntegrationsSchema, IntegrationsTx } from '../schema';
import { logSync } from '../engine/sync-log.store';
import {
  accountChanges,
  couldBeToken,
  isAnotherAccount,
  redirectUriOf,
  refreshTokenPurpose,
  publicConnection,
  targetOf,
  tokenPurpose,
} from './connection';
import {
  findConnection,
  findConnectionForUpdate,
  findConnections,
  resetForNewAccount,
  insertState,
  integrationsOf,
  removeConnection,
  saveConnection,
  consumeState,
} from './connection.store';
import { resumeConnection } from './resume';
import { asTokenProblem, withTimeout, InteractiveToolClient } from '../tool/interactive-tool-client';

/** A token from the tool, with its account. It is in memory in plain text only until `Secrets` has sealed it. */
interface Grant extends ToolAccess {
  refresh_token?: string | undefined;
  expires_at?: string | undefined;
  account: ExternalUser;
}

/** Creates, renews and removes an organization's connections to task tools. No response, event or log entry ever contains a token. */
@Controller()
export class ConnectionService {
  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly jobs: Jobs,
    private readonly secrets: Secrets,
    private readonly client: InteractiveToolClient,
    @Inject('CONFIG') private readonly config: IntegrationsConfig,
  ) {}

  @Handles(readTaskToolConnections)
  async read(ctx: TenantContext): Promise<TaskToolConnection[]> {
    const rows = await this.db.forTenant(ctx, (tx) => findConnections(tx, ctx.organization_id));
    return rows.map(publicConnection);
  }

  @Handles(connectTaskTool)
  async connect(ctx: TenantContext, { body }: InputOf<typeof connectTaskTool>): Promise<TaskToolConnection> {
    const tool = knownTool(body.provider);
    if (!couldBeToken(body.token)) throw new AppError('task_tool.token_refused');
    return this.save(ctx, tool, await this.grantOf(tool, { kind: 'personal_token', token: body.token }));
  }

  @Handles(authorizeTaskTool)
  async authorize(ctx: TenantContext, { body }: InputOf<typeof authorizeTaskTool>): Promise<{ url: string }> {
    const tool = knownTool(body.provider);
    const user_id = browserUserOf(ctx);
    const state = newToken();
    const url = tool.authorizeUrl(this.config, { state, redirect_uri: redirectUriOf(this.config.PUBLIC_URL, tool.key) });
    if (url === undefined) throw new AppError('task_tool.not_configured');
    const row = { organization_id: ctx.organization_id, state_hash: hashToken(state), provider: tool.key, user_id };
    await this.db.forTenant(ctx, (tx) => insertState(tx, row));
    return { url };
  }

  @Handles(completeTaskToolAuthorization)
  async complete(ctx: TenantContext, { body }: InputOf<typeof completeTaskToolAuthorization>): Promise<TaskToolConnection> {
    const tool = knownTool(body.provider);
    const redirect_uri = redirectUriOf(this.config.PUBLIC_URL, tool.key);
    const exchange = tool.exchangeRequest(this.config, { code: body.code, redirect_uri });
    if (!exchange) throw new AppError('task_tool.not_configured');
    // In a separate transaction: the state is used up even if the exchange fails.
    const state = {
      organization_id: ctx.organization_id,
      state_hash: hashToken(body.state),
      provider: tool.key,
      user_id: browserUserOf(ctx),
    };
    if (!(await this.db.forTenant(ctx, (tx) => consumeState(tx, state)))) throw new AppError('task_tool.state_invalid');
    const { refresh_token, expires_at, token } = await this.exchange(tool, exchange);
    return this.save(ctx, tool, { ...(await this.grantOf(tool, { kind: 'oauth', token })), refresh_token, expires_at });
  }

  @Handles(disconnectTaskTool)
  async disconnect(ctx: TenantContext, { params }: InputOf<typeof disconnectTaskTool>): Promise<Record<string, never>> {
    const tool = knownTool(params.provider);
    const organization_id = ctx.organization_id;
    const found = await this.db.forTenant(ctx, async (tx) => {
      const connection = await findConnection(tx, organization_id, tool.key);
      return connection && { connection, integrations: await integrationsOf(tx, connection) };
    });
    if (!found) throw new AppError('task_tool.not_connected');
    // Needs the token. If the tool is down its webhooks remain and will get 404s.
    await removeWebhooks(this.client, ctx, found.connection, found.integrations);
    await this.db.forTenant(ctx, async (tx) => {
      const connection = await findConnectionForUpdate(tx, organization_id, tool.key);
      if (!connection) throw new AppError('task_tool.not_connected');
      await unlinkAll(tx, ctx, { connection_id: connection.id }, 'disconnected');
      await removeConnection(tx, connection);
      await emit(tx, ctx, taskToolChanged, connection.id, {
        what: 'task_tool.disconnected',
        target: targetOf(tool, connection),
        changes: {},
      });
    });
    return {};
  }

  /** A token is accepted once the tool has returned its account. */
  private async grantOf(tool: TaskTool, access: ToolAccess): Promise<Grant> {
    return { ...access, account: await this.client.requestWith(tool, access, (call) => tool.whoAmI(call)) };
  }

  private async exchange(tool: TaskTool, request: NonNullable<ReturnType<TaskTool['exchangeRequest']>>) {
    try {
      const answer = await withTimeout(sendToTool({ method: 'POST', ...request, timeoutMs: this.config.TASK_TOOL_TIMEOUT_MS }));
      const succeeded = answer.status >= 200 && answer.status < 300;
      if (!succeeded && (answer.status >= 500 || answer.status === 429))
        throw new ToolError('unreachable', `${tool.name} returned ${answer.status}`);
      const token = succeeded ? tool.readToken(answer.body) : undefined;
      if (!token) throw new ToolError('refused', `${tool.name} did not accept the code`);
      return token;
    } catch (error) {
      throw asTokenProblem(error);
    }
  }

  /** An existing row is updated, so that work that waited because of an invalid token resumes. */
  private save(ctx: TenantContext, tool: TaskTool, grant: Grant): Promise<TaskToolConnection> {
    const organization_id = ctx.organization_id;
    return this.db.forTenant(ctx, async (tx) => {
      const before = await findConnectionForUpdate(tx, organization_id, tool.key);
      const connection = await saveConnection(tx, {
        id: before?.id ?? newId(),
        organization_id,
        provider: tool.key,
        kind: grant.kind,
        sealed_token: this.secrets.seal(tokenPurpose, grant.token),
        sealed_refresh_token: grant.refresh_token === undefined ? null : this.secrets.seal(refreshTokenPurpose, grant.refresh_token),
        token_expires_at: grant.expires_at ?? null,
        account_id: grant.account.id,
        account_name: grant.account.name.slice(0, 200).toWellFormed(),
        connected_by: ctx.actor.type === 'user' ? ctx.actor.user_id : null,
      });
      if (before) await this.resume(tx, ctx, tool, before, connection);
      await emit(tx, ctx, taskToolConnected, organization_id, { connection_id: connection.id, provider: tool.key });
      const changes = accountChanges(before, grant.account);
      await emit(tx, ctx, taskToolChanged, connection.id, { what: 'task_tool.connected', target: targetOf(tool, connection), changes });
      return publicConnection(connection);
    });
  }

  private async resume(
    tx: IntegrationsTx,
    ctx: TenantContext,
    tool: TaskTool,
    before: ConnectionRow,
    connection: ConnectionRow,
  ): Promise<void> {
    const { account_id: id, account_name: name } = connection;
    if (isAnotherAccount(before, { id, name, email: null })) {
      const message = `${tool.name} is now connected as ${name} instead of ${before.account_name}.`;
      for (const integration of await resetForNewAccount(tx, connection)) await logSync(tx, integration, { level: 'info', message });
    }
    await resumeConnection(tx, ctx, this.jobs, tool, connection);
  }
}

function knownTool(provider: string): TaskTool {
  const tool = findTaskTool(provider);
  if (!tool) throw new AppError('task_tool.unknown');
  return tool;
}

/** The same user must start and complete the authorization in the browser; an API token has no browser. */
function browserUserOf({ actor }: Context): string {
  if (actor.type !== 'user')
    throw new AppError('permission.denied', { detail: 'API tokens cannot connect in the browser. Use a personal token.' });
  return actor.user_id;
}
