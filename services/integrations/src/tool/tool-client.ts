import { Inject, Injectable } from '@nestjs/common';
import { systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Jobs } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import type { IntegrationsConfig } from '../config';
import { tokenPurpose } from '../connection/connection';
import { makeCall } from '../provider/call';
import { findTaskTool } from '../provider/registry';
import { ToolError, type RateState, type TaskTool, type ToolAccess, type ToolCall } from '../provider/task-tool';
import type { ConnectionRow, IntegrationsSchema } from '../schema';
import { recordResponse, recordOutage, recordRateLimit, acquireSlot } from './rate-limit';
import type { Urgency } from '../engine/link-values';
import { refreshIfDue } from './refresh';
import { scheduleSync } from '../engine/schedule-sync';

/** Pause after a rate-limit response that names no retry time. */
const unknownPauseMs = 10_000;

/** The process was suspended for longer than its lease, so another process may already be doing the same work. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process holds the lease of the connection');
    this.name = 'LeaseLost';
  }
}

/**
 * Makes every call to a task tool: uses the connection's token, stays within its rate limit, and records what each response reports about
 * both.
 */
@Injectable()
export class ToolClients {
  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly secrets: Secrets,
    private readonly jobs: Jobs,
    @Inject('CONFIG') private readonly config: IntegrationsConfig,
  ) {}

  /**
   * Calls for a connection. Each throws `ToolError`: `rate_limited` can also mean that the remaining calls are reserved for more urgent
   * work. A worker passes its lease: once another process may hold the connection, `LeaseLost` is thrown and nothing is sent.
   */
  forConnection(connection: Pick<ConnectionRow, 'id' | 'organization_id' | 'provider'>, urgency: Urgency, lease?: string): ToolCall {
    const tool = getTaskTool(connection.provider);
    return async (request) => {
      const { call } = await this.prepare(tool, connection, urgency, lease);
      return call(request);
    };
  }

  /** Calls with a token that does not belong to a connection yet. */
  withAccess(tool: TaskTool, access: ToolAccess): ToolCall {
    return makeCall({ tool, settings: this.config, access, timeoutMs: this.config.TASK_TOOL_TIMEOUT_MS });
  }

  /** Calls with the token of a broken connection, to check whether the tool accepts it again. */
  async forProbe(tool: TaskTool, broken: ConnectionRow): Promise<ToolCall> {
    const { connection } = await this.refreshed(tool, broken);
    return this.withAccess(tool, { kind: connection.kind, token: this.secrets.open(tokenPurpose, connection.sealed_token ?? '') });
  }

  private refreshed(tool: TaskTool, connection: ConnectionRow) {
    return refreshIfDue({ db: this.db, secrets: this.secrets, settings: this.config }, tool, connection);
  }

  /** The token is read from the database for each call: it may have been refreshed, or an admin may have reconnected. */
  private async prepare(
    tool: TaskTool,
    { id, organization_id }: Pick<ConnectionRow, 'id' | 'organization_id'>,
    urgency: Urgency,
    lease: string | undefined,
  ) {
    const ctx = systemContext(organization_id, `task-tool-${id}`);
    const slot = await this.db.forTenant(ctx, (tx) => acquireSlot(tx, id, urgency, lease));
    if (slot === 'lease lost') throw new LeaseLost();
    if (slot && 'retry_at' in slot) throw new ToolError('rate_limited', 'The rate limit is used up', slot);
    if (!slot?.connection.sealed_token || slot.connection.state === 'broken')
      throw new ToolError('unauthorized', `${tool.name} is no longer connected`);
    const { connection } = await this.refreshed(tool, slot.connection);
    const access = { kind: connection.kind, token: this.secrets.open(tokenPurpose, connection.sealed_token ?? '') };
    const after = (rate: RateState | undefined, problem?: ToolError) => this.record(ctx, id, rate, problem);
    return {
      call: makeCall({ tool, settings: this.config, access, timeoutMs: this.config.TASK_TOOL_TIMEOUT_MS, hooks: { after } }),
    };
  }

  private async record(ctx: { organization_id: string }, id: string, rate: RateState | undefined, problem: ToolError | undefined) {
    const system = systemContext(ctx.organization_id, `task-tool-${id}`);
    await this.db.forTenant(system, async (tx) => {
      if (problem?.problem === 'unreachable') return recordOutage(tx, id);
      if (problem?.problem === 'rate_limited')
        return recordRateLimit(tx, id, problem.details.retry_at ?? new Date(Date.now() + unknownPauseMs).toISOString());
      if (await recordResponse(tx, id, rate)) scheduleSync(this.jobs, tx, system, id);
    });
  }
}

export function getTaskTool(provider: string): TaskTool {
  const tool = findTaskTool(provider);
  if (!tool) throw new Error(`Unknown task tool of a connection: ${provider}`);
  return tool;
}
