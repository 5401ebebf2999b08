import type { Export } from '@tandem/contracts';
import { exportLimits } from '@tandem/contracts/values';
import { Check, Download, PackageOpen, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useMemberName } from '../../../app/use-member-name';
import { formatUntil } from '../../../lib/dates';
import { notify } from '../../../lib/notify';
import { useNow } from '../../../lib/now';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { keyPerText } from '../../../lib/unique';
import { sizeText } from '../../../lib/uploads';
import { Badge, type BadgeTone } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { CheckRow } from '../../../ui/CheckRow';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeletons } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import { useCreateExportMutation, useDeleteExportMutation, useLinkExportMutation, useListExportsInfiniteQuery } from './exports.api';
import { Progress } from './Progress';

const pollMs = 2_000;

const stateLabels: Record<Export['state'], string> = {
  running: t('settings.transfer.export_running'),
  done: t('settings.transfer.export_done'),
  failed: t('settings.transfer.export_failed'),
  expired: t('settings.transfer.export_expired'),
};
const stateTones: Record<Export['state'], BadgeTone> = { running: 'accent', done: 'green', failed: 'red', expired: 'gray' };

function useExports() {
  const [polls, setPolls] = useState(false);
  const query = useListExportsInfiniteQuery(undefined, {
    pollingInterval: polls ? pollMs : 0,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnMountOrArgChange: true,
  });
  const exports = query.data?.pages.flatMap(({ items }) => items);
  const isBusy = exports?.some(({ state }) => state === 'running') ?? false;
  if (isBusy !== polls) setPolls(isBusy);
  return { ...query, exports };
}

const contained = [
  t('settings.transfer.contains_tickets'),
  t('settings.transfer.contains_articles'),
  t('settings.transfer.contains_settings'),
  t('settings.transfer.contains_audit_log'),
];
const notContained = [t('settings.transfer.lacks_secrets'), t('settings.transfer.lacks_drafts')];

const List = ({ label, items, isContained }: { label: string; items: string[]; isContained: boolean }) => {
  const Icon = isContained ? Check : X;
  return (
    <div>
      <h3 className="mb-1.5 font-medium">{label}</h3>
      <ul className="flex flex-col gap-1">
        {items.map((item) => (
          <li key={item} className="flex items-start gap-2 text-pretty text-muted">
            <Icon className={`mt-0.5 size-4 shrink-0 ${isContained ? 'text-green-text' : 'text-faint'}`} aria-hidden />
            {item}
          </li>
        ))}
      </ul>
    </div>
  );
};

function NewExport({ isRunning }: { isRunning: boolean }) {
  const id = useId();
  const [hasFiles, setHasFiles] = useState(true);
  const [attempt, setAttempt] = useState(0);
  const [keyOf] = useState(keyPerText);
  const [create, { isLoading }] = useCreateExportMutation();
  const start = async () => {
    const { error } = await create({ has_files: hasFiles, key: keyOf(`${attempt} ${hasFiles}`) });
    if (error) return notify.problem(error, t('settings.transfer.couldnt_start_export'));
    setAttempt(attempt + 1);
    notify.success(t('settings.transfer.export_started'), t('settings.transfer.well_email_you'));
  };
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('settings.transfer.export_everything')} />
      <div className="flex flex-col gap-4 p-4">
        <p className="text-pretty text-muted">{t('settings.transfer.about_exports', { days: exportLimits.keepDays })}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <List label={t('settings.transfer.contains')} items={contained} isContained />
          <List label={t('settings.transfer.does_not_contain')} items={notContained} isContained={false} />
        </div>
        <CheckRow
          label={t('settings.transfer.include_files')}
          description={t('settings.transfer.about_include_files')}
          checked={hasFiles}
          onChange={setHasFiles}
        />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button variant="primary" busy={isLoading} disabled={isRunning} onClick={() => void start()}>
            {!isLoading && <PackageOpen aria-hidden />}
            {t('settings.transfer.export_everything')}
          </Button>
          {isRunning && <p className="text-muted">{t('settings.transfer.one_export_at_a_time')}</p>}
        </div>
      </div>
    </Card>
  );
}

function DownloadExport({ id, label }: { id: string; label: string }) {
  const [link, { isLoading }] = useLinkExportMutation();
  const download = async () => {
    const { data, error } = await link(id);
    if (!data) return notify.problem(error, t('settings.transfer.couldnt_download'));
    Object.assign(document.createElement('a'), { href: data.url, download: '' }).click();
  };
  return (
    <Button size="sm" busy={isLoading} aria-label={label} onClick={() => void download()}>
      {!isLoading && <Download aria-hidden />}
      {t('settings.transfer.download')}
    </Button>
  );
}

function DeleteExport({ id, state, label }: { id: string; state: Export['state']; label: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const [remove, { isLoading }] = useDeleteExportMutation();
  const isRunning = state === 'running';
  const confirm = async () => {
    const { error } = await remove(id);
    setIsAsking(false);
    if (error) notify.problem(error, t('settings.transfer.couldnt_delete_export'));
  };
  return (
    <>
      <Button size="sm" variant="ghost" aria-label={label} onClick={() => setIsAsking(true)}>
        {isRunning ? t('settings.transfer.stop') : t('settings.transfer.delete')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={isRunning ? t('settings.transfer.stop_this_export') : t('settings.transfer.delete_this_export')}
        description={isRunning ? t('settings.transfer.what_stop_does') : t('settings.transfer.what_delete_does')}
        action={isRunning ? t('settings.transfer.stop_export') : t('settings.transfer.delete_export')}
        busy={isLoading}
        onConfirm={() => void confirm()}
      />
    </>
  );
}

function Row({ each, author, readAt }: { each: Export; author: string; readAt: number | undefined }) {
  const now = useNow();
  const { id, state, size, has_files, created_at, expires_at } = each;
  const facts = [
    has_files ? t('settings.transfer.with_files') : t('settings.transfer.without_files'),
    size === null ? undefined : sizeText(size),
    state === 'done' && expires_at ? t('settings.transfer.expires_when', { when: formatUntil(expires_at, now) }) : undefined,
  ].filter(Boolean);
  return (
    <li className="flex flex-col gap-3 px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Time iso={created_at} className="font-medium" />
            {each.is_of_customer && (
              <span className="[overflow-wrap:anywhere]">
                {each.customer_email
                  ? t('settings.transfer.data_of_customer', { email: each.customer_email })
                  : t('settings.transfer.data_of_a_customer')}
              </span>
            )}
            <Badge tone={stateTones[state]}>{stateLabels[state]}</Badge>
          </p>
          <p className="text-xs text-muted tabular">
            {author} · {facts.join(' · ')}
          </p>
          {state === 'failed' && <p className="text-xs text-pretty text-red-text">{t('settings.transfer.export_failure')}</p>}
        </div>
        <div className="flex gap-1.5">
          {state === 'done' && (
            <DownloadExport id={id} label={t('settings.transfer.download_export_of', { date: created_at.slice(0, 10) })} />
          )}
          <DeleteExport
            id={id}
            state={state}
            label={
              state === 'running'
                ? t('settings.transfer.stop_export')
                : t('settings.transfer.delete_export_of', { date: created_at.slice(0, 10) })
            }
          />
        </div>
      </div>
      {state === 'running' && <Progress label={t('settings.transfer.exporting')} progress={each.progress} readAt={readAt} />}
    </li>
  );
}

/** Archives of the whole organization: a new one, and those of the last days. */
export function ExportPanel() {
  const id = useId();
  const { exports, error, isFetching, refetch, fulfilledTimeStamp, hasNextPage, isFetchingNextPage, fetchNextPage } = useExports();
  const memberName = useMemberName();
  return (
    <div className="flex flex-col gap-5">
      <NewExport isRunning={exports?.some(({ state }) => state === 'running') ?? false} />
      {!exports && error && (
        <ErrorNote
          title={t('settings.transfer.couldnt_load_exports')}
          detail={messageOf(error, '')}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      )}
      {!exports && !error && (
        <Card>
          <Skeletons blocks={['h-10', 'h-10']} />
        </Card>
      )}
      {exports && exports.length > 0 && (
        <Card aria-labelledby={id}>
          <CardHeader id={id} title={t('settings.transfer.exports')} />
          <ul aria-label={t('settings.transfer.exports')} className="divide-y">
            {exports.map((each) => (
              <Row key={each.id} each={each} author={memberName(each.created_by)} readAt={fulfilledTimeStamp} />
            ))}
          </ul>
          {hasNextPage && (
            <div className="flex justify-center border-t p-4">
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {t('settings.transfer.load_more')}
              </Button>
            </div>
          )}
        </Card>
      )}
    </div>
  );
}
