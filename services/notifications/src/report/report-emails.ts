import { Injectable } from '@nestjs/common';
import { reportDue, type DataOf, type Envelope, type TenantContext } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import { EmailQueue } from '../email/email.queue';
import { findTeam } from '../member/member.store';
import type { NotificationsSchema } from '../schema';

/** Emails a scheduled report to those of its recipients who are still active admins or managers. */
@Injectable()
export class ReportEmails {
  constructor(
    private readonly emails: EmailQueue,
    private readonly secrets: Secrets,
  ) {}

  @Consumes(reportDue, { name: 'report-emails', from: 'now' })
  async onReportDue(ctx: TenantContext, report: DataOf<typeof reportDue>, tx: Tx<NotificationsSchema>, envelope: Envelope): Promise<void> {
    const { report_id, recipient_ids, frequency, time_zone, analytics } = report;
    const { organization_id } = ctx;
    const team = await findTeam(tx, organization_id, recipient_ids, false);
    for (const { user_id, email } of team.filter(({ is_active, role }) => is_active && role !== 'agent')) {
      const unsubscribe_token = this.secrets.seal('report-unsubscribe', [organization_id, report_id, user_id].join(' '));
      await this.emails.add(tx, ctx, envelope, 'staff_report', email, { frequency, time_zone, analytics, unsubscribe_token });
    }
  }
}
