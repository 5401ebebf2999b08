import { Inject, Injectable } from '@nestjs/common';
import { deleteInIntegrations, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Jobs, organizationDeletion } from '@tandem/messaging';
import { removeWebhooks } from '../integration/unlink';
import type { IntegrationsSchema } from '../schema';
import { InteractiveToolClient } from '../tool/interactive-tool-client';
import { findConnections, integrationsOf } from './connection.store';

/**
 * Removes our webhooks from the task tools of a deleted organization, while there still are tokens. If a tool does not answer within some
 * seconds, its webhooks remain and get 404s: the data must not stay because of it.
 */
@Injectable()
export class IntegrationsDeletion extends organizationDeletion(deleteInIntegrations) {
  constructor(
    @Inject(Database) private readonly integrations: Database<IntegrationsSchema>,
    @Inject(Jobs) jobs: Jobs,
    @Inject(InteractiveToolClient) private readonly client: InteractiveToolClient,
  ) {
    super(integrations, jobs);
  }

  override async beforeRows(ctx: TenantContext): Promise<void> {
    const found = await this.integrations.forTenant(ctx, async (tx) => {
      const connections = await findConnections(tx, ctx.organization_id);
      return Promise.all(connections.map(async (connection) => ({ connection, integrations: await integrationsOf(tx, connection) })));
    });
    for (const { connection, integrations } of found) await removeWebhooks(this.client, ctx, connection, integrations);
  }
}
