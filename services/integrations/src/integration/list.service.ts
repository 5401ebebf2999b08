import { Controller } from '@nestjs/common';
import {
  AppError,
  listSpaces,
  listTaskLists,
  listWorkspaces,
  readTaskList,
  type InputOf,
  type TaskList,
  type TaskToolChoice,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { findConnection } from '../connection/connection.store';
import { InteractiveToolClient } from '../tool/interactive-tool-client';
import { findTaskTool } from '../provider/registry';
import type { ConnectionRow, IntegrationsSchema } from '../schema';
import { emailFields, proposeEmailField, proposeStatuses } from './mapping';

/** Browses the lists of a task tool. Nothing is stored: each request is sent to the tool. */
@Controller()
export class ListService {
  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly client: InteractiveToolClient,
  ) {}

  @Handles(listWorkspaces)
  async workspaces(ctx: TenantContext, { query }: InputOf<typeof listWorkspaces>): Promise<TaskToolChoice[]> {
    return this.client.request(ctx, await this.connected(ctx, query.provider), (tool, call) => tool.listWorkspaces(call));
  }

  @Handles(listSpaces)
  async spaces(ctx: TenantContext, { query }: InputOf<typeof listSpaces>): Promise<TaskToolChoice[]> {
    return this.client.request(ctx, await this.connected(ctx, query.provider), (tool, call) => tool.listSpaces(call, query.workspace_id));
  }

  @Handles(listTaskLists)
  async lists(ctx: TenantContext, { query }: InputOf<typeof listTaskLists>): Promise<TaskToolChoice[]> {
    const { provider, space_id, workspace_id } = query;
    const within = space_id === undefined ? { workspace_id: workspace_id! } : { space_id };
    return this.client.request(ctx, await this.connected(ctx, provider), (tool, call) => tool.listLists(call, within));
  }

  @Handles(readTaskList)
  async list(ctx: TenantContext, { params, query }: InputOf<typeof readTaskList>): Promise<TaskList> {
    return this.client.request(ctx, await this.connected(ctx, query.provider), async (tool, call) => {
      const { id, name, statuses, fields } = await tool.describeList(call, params.id);
      const proposed_statuses = proposeStatuses(statuses, tool.capabilities.statuses);
      return {
        id,
        name,
        statuses,
        email_fields: emailFields(fields).map(({ id, name, type }) => ({ id, name, type })),
        proposed_statuses,
        proposed_email_field: proposeEmailField(fields),
      };
    });
  }

  private connected(ctx: TenantContext, provider: string): Promise<ConnectionRow> {
    return this.db.forTenant(ctx, (tx) => connectedTo(tx, ctx.organization_id, provider));
  }
}

/** The organization's connection to this tool, even if it is broken. */
export async function connectedTo(
  tx: Parameters<typeof findConnection>[0],
  organization_id: string,
  provider: string,
): Promise<ConnectionRow> {
  if (!findTaskTool(provider)) throw new AppError('task_tool.unknown');
  const connection = await findConnection(tx, organization_id, provider);
  if (!connection) throw new AppError('task_tool.not_connected');
  return connection;
}
