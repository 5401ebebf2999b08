import { Injectable } from '@nestjs/common';
import { exportChanged, exportLimits, type DataOf, type Envelope, type TenantContext } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { AdminNotices } from './admin-notices';

/** Notifies the admin who requested an export that its archive can be downloaded. The email links to the settings, never to the archive. */
@Injectable()
export class ExportNotices {
  constructor(private readonly admins: AdminNotices) {}

  @Consumes(exportChanged, { name: 'export-notifications', from: 'now' })
  async onChange(
    ctx: TenantContext,
    { what, created_by }: DataOf<typeof exportChanged>,
    tx: Tx<NotificationsSchema>,
    envelope: Envelope,
  ): Promise<void> {
    if (what !== 'finished' || created_by === null) return;
    const subject = `Your export is ready. You can download it for ${exportLimits.keepDays} days.`;
    await this.admins.notify(tx, ctx, envelope, {
      notice: { kind: 'export_ready', ticket_id: null, ticket_number: null, subject },
      topic: 'exports',
      email: { kind: 'staff_export_ready', data: { days: exportLimits.keepDays } },
      user_id: created_by,
    });
  }
}
