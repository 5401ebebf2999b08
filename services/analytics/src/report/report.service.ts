import { Controller } from '@nestjs/common';
import {
  analyticsLimits,
  AppError,
  Id,
  createReport,
  deleteReport,
  leaveReport,
  listReports,
  updateReport,
  type Context,
  type InputOf,
  type Report,
  type TenantContext,
} from '@tandem/contracts';
import { Database, lockName, newId } from '@tandem/db';
import { Handles, storeResponse } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import * as z from 'zod';
import { findTimeZone } from '../organization/organization.store';
import type { AnalyticsSchema, AnalyticsTx } from '../schema';
import { dueAfterChange, nextDue } from './report-schedule';
import {
  changeReport,
  deleteReportRow,
  findReportForUpdate,
  findReportReaders,
  findReports,
  insertReport,
  removeRecipient,
  zonesOf,
} from './report.store';

@Controller()
export class ReportService {
  constructor(
    private readonly db: Database<AnalyticsSchema>,
    private readonly secrets: Secrets,
  ) {}

  @Handles(listReports)
  list(ctx: TenantContext): Promise<Report[]> {
    return this.db.forTenant(ctx, findReports);
  }

  @Handles(createReport)
  create({ organization_id, actor }: TenantContext, { body }: InputOf<typeof createReport>): Promise<Report> {
    if (actor.type !== 'user') throw new AppError('permission.denied', { detail: 'This is not available to API tokens.' });
    return this.db.forTenant({ organization_id }, async (tx) => {
      await lockName(tx, `reports/${organization_id}`);
      if ((await findReports(tx)).length >= analyticsLimits.reports) throw new AppError('report.too_many');
      const recipient_ids = await checkedRecipients(tx, body.recipient_ids);
      const now = new Date().toISOString();
      const { frequency, time_zone = null } = body;
      const next_at = nextDue(frequency, zonesOf({ time_zone }, await findTimeZone(tx)), now);
      const report = { id: newId(), frequency, recipient_ids, time_zone, created_by: actor.user_id, created_at: now, next_at };
      return storeResponse(tx, await insertReport(tx, { organization_id, ...report, last_sent_at: null }));
    });
  }

  @Handles(updateReport)
  update(ctx: TenantContext, { params, body }: InputOf<typeof updateReport>): Promise<Report> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await findReportForUpdate(tx, params.id);
      if (!before) throw new AppError('report.not_found');
      if (body.version !== undefined && body.version !== before.version) throw new AppError('report.changed');
      const { frequency = before.frequency, time_zone = before.time_zone } = body;
      const recipient_ids = body.recipient_ids ? await checkedRecipients(tx, body.recipient_ids) : before.recipient_ids;
      const now = new Date().toISOString();
      const zones = zonesOf({ time_zone }, await findTimeZone(tx));
      let { next_at } = before;
      if (frequency !== before.frequency) next_at = nextDue(frequency, zones, now);
      else if (time_zone !== before.time_zone) next_at = dueAfterChange(frequency, zones, now, before.last_sent_at);
      return changeReport(tx, params.id, { frequency, recipient_ids, time_zone, next_at });
    });
  }

  @Handles(deleteReport)
  async delete(ctx: TenantContext, { params }: InputOf<typeof deleteReport>): Promise<{}> {
    if (!(await this.db.forTenant(ctx, (tx) => deleteReportRow(tx, params.id)))) throw new AppError('report.not_found');
    return {};
  }

  @Handles(leaveReport)
  async leave(_ctx: Context, { body }: InputOf<typeof leaveReport>): Promise<{}> {
    const { organization_id, report_id, user_id } = this.#openToken(body.token);
    await this.db.forTenant({ organization_id }, (tx) => removeRecipient(tx, user_id, report_id));
    return {};
  }

  #openToken(token: string): { organization_id: string; report_id: string; user_id: string } {
    try {
      const [organization_id, report_id, user_id] = Ids.parse(this.secrets.open('report-unsubscribe', token).split(' '));
      return { organization_id, report_id, user_id };
    } catch (error) {
      throw new AppError('unsubscribe.invalid', { cause: error });
    }
  }
}

const Ids = z.tuple([Id, Id, Id]);

/** Unique recipients. Each must be an active admin or manager. */
async function checkedRecipients(tx: AnalyticsTx, recipient_ids: string[]): Promise<string[]> {
  const readers = new Set(await findReportReaders(tx, recipient_ids));
  const unknown = recipient_ids.findIndex((id) => !readers.has(id));
  if (unknown >= 0) {
    const message = 'Not an active admin or manager of this organization';
    throw new AppError('assignee.not_a_member', { fields: [{ path: `recipient_ids.${unknown}`, code: 'not_a_member', message }] });
  }
  return [...new Set(recipient_ids)];
}
