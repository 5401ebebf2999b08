import { Injectable } from '@nestjs/common';
import {
  analyticsExportPart,
  identityExportPart,
  integrationsExportPart,
  notificationsExportPart,
  writeExport,
  type ExportPart,
  type TenantContext,
} from '@tandem/contracts';
import { Consumes, Jobs } from '@tandem/messaging';
import type { TicketsTx } from '../schema';
import type { PartService } from './export';
import { insertPart, isPartComplete, markPartComplete } from './export-part.store';
import { findRunningForUpdate } from './export.store';

/** Stores the lines that the other services send for an export. The last event of all starts the job that writes the archive. */
@Injectable()
export class ExportPartConsumer {
  constructor(private readonly jobs: Jobs) {}

  @Consumes(identityExportPart, { name: 'identity-export-part', from: 'beginning' })
  onIdentity(ctx: TenantContext, part: ExportPart, tx: TicketsTx): Promise<void> {
    return this.#store(ctx, 'identity', part, tx);
  }

  @Consumes(notificationsExportPart, { name: 'notifications-export-part', from: 'beginning' })
  onNotifications(ctx: TenantContext, part: ExportPart, tx: TicketsTx): Promise<void> {
    return this.#store(ctx, 'notifications', part, tx);
  }

  @Consumes(integrationsExportPart, { name: 'integrations-export-part', from: 'beginning' })
  onIntegrations(ctx: TenantContext, part: ExportPart, tx: TicketsTx): Promise<void> {
    return this.#store(ctx, 'integrations', part, tx);
  }

  @Consumes(analyticsExportPart, { name: 'analytics-export-part', from: 'beginning' })
  onAnalytics(ctx: TenantContext, part: ExportPart, tx: TicketsTx): Promise<void> {
    return this.#store(ctx, 'analytics', part, tx);
  }

  async #store(ctx: TenantContext, service: PartService, { export_id, lines, ...part }: ExportPart, tx: TicketsTx): Promise<void> {
    const { organization_id } = ctx;
    // The lock makes parts of different services wait for each other: otherwise none of the last two would see that the other has arrived.
    if (!(await findRunningForUpdate(tx, organization_id, export_id))) return;
    await insertPart(tx, { organization_id, export_id, service, ...part, lines: lines.join('\n') });
    if (!(await isPartComplete(tx, export_id, service))) return;
    if (await markPartComplete(tx, export_id, service)) this.jobs.add(tx, ctx, writeExport, { export_id }, { id: export_id });
  }
}
