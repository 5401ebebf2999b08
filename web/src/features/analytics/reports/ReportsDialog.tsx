import type { Report } from '@tandem/contracts';
import { analyticsLimits, reportFrequencyLabels } from '@tandem/contracts/values';
import { CalendarClock, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useListMembersQuery, useSession } from '../../../app/api';
import { formatDay } from '../../../lib/dates';
import { nameOf } from '../../../lib/names';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { zoneLabel } from '../../../lib/time-zones';
import { uniqueKey } from '../../../lib/unique';
import { zonedDay } from '../../../lib/zoned-day';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeleton } from '../../../ui/Skeleton';
import { useCreateReportMutation, useDeleteReportMutation, useListReportsQuery } from './reports.api';
import { ReportForm } from './ReportForm';

/** The names of the recipients; their number until the names are known. */
function useRecipientNames() {
  const { data: members = [] } = useListMembersQuery();
  return ({ recipient_ids }: Report): string => {
    const names = members.filter(({ user_id }) => recipient_ids.includes(user_id)).map((member) => nameOf(member));
    if (names.length > 0) return names.join(', ');
    return recipient_ids.length > 0
      ? t('analytics.reports.count_recipients', { count: recipient_ids.length })
      : t('analytics.reports.no_recipients');
  };
}

function ReportRow({
  report,
  recipients,
  onEdit,
  onDelete,
}: {
  report: Report;
  recipients: string;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const name = reportFrequencyLabels[report.frequency];
  const ofOrganization = useSession().organization?.time_zone ?? 'UTC';
  const dayOf = (time: string) => formatDay(zonedDay(time, report.time_zone ?? ofOrganization));
  return (
    <li className="flex items-start gap-3 py-3">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{name}</p>
        <p className="text-muted wrap-anywhere">{recipients}</p>
        <p className="mt-0.5 text-xs text-muted">
          {report.last_sent_at
            ? t('analytics.reports.next_and_last_sent', { next: dayOf(report.next_at), last: dayOf(report.last_sent_at) })
            : t('analytics.reports.next', { next: dayOf(report.next_at) })}
          {report.time_zone && ` · ${t('analytics.reports.sent_at_eight_in', { zone: zoneLabel(report.time_zone) })}`}
        </p>
      </div>
      <span className="flex">
        <Button variant="ghost" size="icon-sm" aria-label={t('analytics.reports.edit_named_report', { name, recipients })} onClick={onEdit}>
          <Pencil aria-hidden />
        </Button>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('analytics.reports.delete_named_report', { name, recipients })}
          onClick={onDelete}
        >
          <Trash2 aria-hidden />
        </Button>
      </span>
    </li>
  );
}

/** Deletes immediately. Undo creates the same report again. */
function useDeletion() {
  const [deleted, setDeleted] = useState<Report>();
  const [remove] = useDeleteReportMutation();
  const [create, { isLoading }] = useCreateReportMutation();
  const drop = async (report: Report) => {
    const { error } = await remove(report.id);
    if (error) return notify.problem(error, t('analytics.reports.couldnt_delete_report'));
    setDeleted(report);
  };
  const undo = async ({ frequency, recipient_ids, time_zone }: Report) => {
    const { error } = await create({ frequency, recipient_ids, time_zone, key: uniqueKey() });
    if (error) return notify.problem(error, t('analytics.reports.couldnt_restore_report'));
    setDeleted(undefined);
  };
  return { deleted, isRestoring: isLoading, drop, undo };
}

function Nothing({ onNew }: { onNew: () => void }) {
  return (
    <EmptyState
      icon={CalendarClock}
      title={t('analytics.reports.no_scheduled_reports')}
      action={
        <Button variant="primary" onClick={onNew}>
          <Plus aria-hidden />
          {t('analytics.reports.new_report')}
        </Button>
      }
    >
      {t('analytics.reports.what_reports_do')}
    </EmptyState>
  );
}

function ReportList({ onEdit, onNew }: { onEdit: (report: Report) => void; onNew: () => void }) {
  const { data: reports, isError, isFetching, refetch } = useListReportsQuery();
  const recipientsOf = useRecipientNames();
  const { deleted, isRestoring, drop, undo } = useDeletion();
  if (!reports && isError)
    return <ErrorNote title={t('analytics.reports.couldnt_load_reports')} onRetry={() => void refetch()} busy={isFetching} />;
  if (!reports) return <Skeleton className="h-16 rounded-lg" />;
  return (
    <>
      {deleted && (
        <p role="status" className="flex items-center justify-between gap-3 rounded-md bg-hover px-3 py-1.5">
          {t('analytics.reports.report_deleted')}
          <Button size="sm" busy={isRestoring} onClick={() => void undo(deleted)}>
            {t('analytics.reports.undo')}
          </Button>
        </p>
      )}
      {reports.length === 0 && <Nothing onNew={onNew} />}
      {reports.length > 0 && (
        <>
          <ul aria-label={t('analytics.reports.scheduled_reports')} className="divide-y">
            {reports.map((report) => (
              <ReportRow
                key={report.id}
                report={report}
                recipients={recipientsOf(report)}
                onEdit={() => onEdit(report)}
                onDelete={() => void drop(report)}
              />
            ))}
          </ul>
          {reports.length < analyticsLimits.reports ? (
            <Button onClick={onNew} className="mt-2">
              <Plus aria-hidden />
              {t('analytics.reports.new_report')}
            </Button>
          ) : (
            <p className="mt-2 text-muted">{t('analytics.reports.at_most_reports', { count: analyticsLimits.reports })}</p>
          )}
        </>
      )}
    </>
  );
}

/** The reports that members get by email. */
export function ReportsDialog({ onClose }: { onClose: () => void }) {
  const [edited, setEdited] = useState<Report | 'new'>();
  const title =
    edited === undefined
      ? t('analytics.reports.scheduled_reports')
      : edited === 'new'
        ? t('analytics.reports.new_report')
        : t('analytics.reports.edit_report');
  return (
    <Dialog open onOpenChange={onClose} title={title} description={t('analytics.reports.when_reports_are_sent')}>
      {edited === undefined ? (
        <ReportList onEdit={setEdited} onNew={() => setEdited('new')} />
      ) : (
        <ReportForm {...(edited === 'new' ? {} : { report: edited })} onDone={() => setEdited(undefined)} />
      )}
    </Dialog>
  );
}
