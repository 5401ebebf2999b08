import { Injectable } from '@nestjs/common';
import { AppError, type Context } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { ToolError, type TaskTool, type ToolAccess, type ToolCall } from '../provider/task-tool';
import type { ConnectionRow, IntegrationsSchema } from '../schema';
import { ToolClients, getTaskTool } from './tool-client';
import { markConnectionBroken, isTokenRejected } from './connection-health';

/** A person waits for the response, and the gateway times out after 10 s. */
const timeoutMs = 8_000;
/** Default retry time if the tool does not give one. */
const retryAfterSeconds = 30;

/** Calls a task tool while a person waits: with a short timeout, and errors that people understand. */
@Injectable()
export class InteractiveToolClient {
  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly clients: ToolClients,
  ) {}

  /** With the organization's token. If the tool no longer accepts it, the connection is marked as broken. */
  async request<T>(ctx: Context, connection: ConnectionRow, work: (tool: TaskTool, call: ToolCall) => Promise<T>): Promise<T> {
    if (connection.state === 'broken') throw new AppError('task_tool.broken');
    const tool = getTaskTool(connection.provider);
    const call = this.clients.forConnection(connection, 0);
    try {
      return await withTimeout(work(tool, call));
    } catch (error) {
      throw await this.toAppError(error, ctx, tool, call, connection);
    }
  }

  /** With a token that does not belong to a connection yet. */
  async requestWith<T>(tool: TaskTool, access: ToolAccess, work: (call: ToolCall) => Promise<T>): Promise<T> {
    try {
      return await withTimeout(work(this.clients.withAccess(tool, access)));
    } catch (error) {
      throw asTokenProblem(error);
    }
  }

  private async toAppError(error: unknown, ctx: Context, tool: TaskTool, call: ToolCall, connection: ConnectionRow): Promise<unknown> {
    if (!(error instanceof ToolError)) return error;
    if (isTemporary(error)) return unreachableError(error);
    if (error.problem === 'unauthorized') {
      try {
        if (!(await withTimeout(isTokenRejected(tool, call)))) return new AppError('task_tool.list_not_found', { cause: error });
      } catch (again) {
        return again instanceof ToolError ? unreachableError(again) : again;
      }
      await this.db.forTenant(ctx, (tx) => markConnectionBroken(tx, ctx, tool, connection));
      return new AppError('task_tool.broken', { cause: error });
    }
    return new AppError('task_tool.list_not_found', { cause: error });
  }
}

/** For a token or code that was just entered: any error except an outage or a rate limit means that it was not accepted. */
export function asTokenProblem(error: unknown): unknown {
  if (!(error instanceof ToolError)) return error;
  return isTemporary(error) ? unreachableError(error) : new AppError('task_tool.token_refused', { cause: error });
}

const isTemporary = ({ problem }: ToolError): boolean => problem === 'unreachable' || problem === 'rate_limited';

function unreachableError(error: ToolError): AppError {
  const { retry_at } = error.details;
  const wait = retry_at === undefined ? retryAfterSeconds : Math.max(1, Math.ceil((Date.parse(retry_at) - Date.now()) / 1_000));
  return new AppError('task_tool.unreachable', { retryAfterSeconds: wait, cause: error });
}

/** Rejects after `ms`. The work itself continues, but its result is ignored. */
export async function withTimeout<T>(work: Promise<T>, ms: number = timeoutMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ToolError('unreachable', 'The task tool timed out')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
