import type { Report } from '@tandem/contracts';
import { currentOrganizationId } from '@tandem/db';
import { sql } from 'kysely';
import type { AnalyticsTx } from '../schema';
import { dueAfterChange, type ReportZones } from './report-schedule';

const columns = [
  'id',
  'frequency',
  'recipient_ids',
  'time_zone',
  'created_by',
  'created_at',
  'next_at',
  'last_sent_at',
  'version',
] as const;

export const findReports = (tx: AnalyticsTx): Promise<Report[]> =>
  tx
    .selectFrom('reports')
    .select(columns)
    .where('organization_id', '=', currentOrganizationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const findReportForUpdate = (tx: AnalyticsTx, id: string): Promise<Report | undefined> =>
  tx.selectFrom('reports').select(columns).where('id', '=', id).forUpdate().executeTakeFirst();

export const insertReport = (tx: AnalyticsTx, report: Omit<Report, 'version'> & { organization_id: string }): Promise<Report> =>
  tx.insertInto('reports').values(report).returning(columns).executeTakeFirstOrThrow();

export const changeReport = (
  tx: AnalyticsTx,
  id: string,
  fields: Pick<Report, 'frequency' | 'recipient_ids' | 'time_zone' | 'next_at'>,
): Promise<Report> =>
  tx
    .updateTable('reports')
    .set((eb) => ({ ...fields, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();

export async function saveDueTime(tx: AnalyticsTx, id: string, times: Partial<Pick<Report, 'next_at' | 'last_sent_at'>>): Promise<void> {
  await tx.updateTable('reports').set(times).where('id', '=', id).execute();
}

export async function deleteReportRow(tx: AnalyticsTx, id: string): Promise<boolean> {
  return (await tx.deleteFrom('reports').where('id', '=', id).returning('id').executeTakeFirst()) !== undefined;
}

/** Removes a member from one report, or from all of the organization. */
export async function removeRecipient(tx: AnalyticsTx, user_id: string, report_id?: string): Promise<void> {
  const which = report_id === undefined ? sql`` : sql`and id = ${report_id}`;
  await sql`
    update reports set recipient_ids = array_remove(recipient_ids, ${user_id}::uuid), version = version + 1
    where ${user_id}::uuid = any(recipient_ids) ${which}`.execute(tx);
}

export const zonesOf = ({ time_zone }: Pick<Report, 'time_zone'>, ofOrganization: string): ReportZones => ({
  figures: ofOrganization,
  sending: time_zone ?? ofOrganization,
});

/** For a changed time zone of the organization. A report that is due already, and may wait for a rebuild, is still sent. */
export async function rescheduleReports(tx: AnalyticsTx, ofOrganization: string, now: string): Promise<void> {
  const coming = (await findReports(tx)).filter(({ next_at }) => next_at > now);
  for (const report of coming) {
    const next_at = dueAfterChange(report.frequency, zonesOf(report, ofOrganization), now, report.last_sent_at);
    await saveDueTime(tx, report.id, { next_at });
  }
}

/** Those of `user_ids` who can get reports: active admins and managers. */
export async function findReportReaders(tx: AnalyticsTx, user_ids: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('members')
    .select('user_id')
    .where('user_id', '=', sql<string>`any(${user_ids}::uuid[])`)
    .where('is_active', '=', true)
    .where('role', 'is distinct from', 'agent')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export const findDueReportsAcrossOrganizations = (tx: AnalyticsTx, limit: number) =>
  tx
    .selectFrom('reports')
    .select(['organization_id', 'id'])
    .where('next_at', '<=', sql<string>`now()`)
    .orderBy('next_at')
    .limit(limit)
    .execute();
