import type { Import } from '@tandem/contracts';
import { importLimits } from '@tandem/contracts/values';
import { ArrowRight, Ban, Clock, Undo2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { CheckRow } from '../../../ui/CheckRow';
import { CancelImport } from './CancelImport';
import { Counts } from './Counts';
import { createdOf } from './import-labels';
import { useStartImportMutation } from './import-work.api';
import { useUpdateImportMutation } from './imports.api';
import { Problems } from './Problems';
import { Progress } from './Progress';
import { UndoImport } from './UndoImport';

function Options({ current }: { current: Import }) {
  const [update] = useUpdateImportMutation();
  const save = async (options: Partial<Import['options']>) => {
    const { error } = await update({ id: current.id, changes: { options } });
    if (error) notify.problem(error, t('settings.transfer.couldnt_save_choice'));
  };
  const { keep_numbers, files, settings } = current.options;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold">{t('settings.transfer.options')}</legend>
      <CheckRow
        label={t('settings.transfer.keep_numbers')}
        description={keep_numbers ? t('settings.transfer.numbers_are_kept') : t('settings.transfer.numbers_are_new')}
        checked={keep_numbers}
        onChange={(checked) => void save({ keep_numbers: checked })}
      />
      {current.source !== 'csv' && (
        <CheckRow
          label={t('settings.transfer.import_files')}
          description={t('settings.transfer.about_import_files')}
          checked={files}
          onChange={(checked) => void save({ files: checked })}
        />
      )}
      {current.source === 'tandem' && (
        <CheckRow
          label={t('settings.transfer.import_settings')}
          description={t('settings.transfer.about_import_settings')}
          checked={settings}
          onChange={(checked) => void save({ settings: checked })}
        />
      )}
    </fieldset>
  );
}

const promises = [
  { icon: Ban, text: t('settings.transfer.nothing_is_sent') },
  { icon: Clock, text: t('settings.transfer.times_are_kept') },
  { icon: Undo2, text: t('settings.transfer.undo_for_hours', { hours: importLimits.undoHours }) },
];

function Start({ current }: { current: Import }) {
  const [start, { isLoading }] = useStartImportMutation();
  // Those that are left out have been found, too.
  const { found = 0, failed = 0 } = current.counts.ticket ?? {};
  const tickets = found - failed;
  const run = async () => {
    const { error } = await start(current.id);
    if (error) notify.problem(error, t('settings.transfer.couldnt_start'));
  };
  return (
    <>
      <ul className="flex flex-col gap-2">
        {promises.map(({ icon: Icon, text }) => (
          <li key={text} className="flex items-start gap-2.5 text-pretty">
            <Icon className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
            {text}
          </li>
        ))}
      </ul>
      <Options current={current} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={isLoading} onClick={() => void run()}>
          {tickets > 0 ? t('settings.transfer.import_count_tickets', { count: tickets }) : t('settings.transfer.start_import')}
        </Button>
        <CancelImport current={current} label={t('settings.transfer.discard')} />
      </div>
    </>
  );
}

function Outcome({ current }: { current: Import }) {
  const { state, kept_count } = current;
  const hasTickets = (current.counts.ticket?.created ?? 0) + (current.counts.ticket?.existing ?? 0) > 0 && state !== 'undone';
  return (
    <>
      {state === 'undone' && (
        <Alert tone="success">
          {kept_count ? t('settings.transfer.kept_changed_tickets', { count: kept_count }) : t('settings.transfer.everything_was_deleted')}
        </Alert>
      )}
      {createdOf(current.counts) > 0 && <Counts counts={current.counts} isDone />}
      {state !== 'undone' && <Problems current={current} />}
      <div className="flex flex-wrap items-center gap-2">
        {hasTickets && (
          <Button variant="primary" asChild>
            <Link to="/tickets">
              {t('settings.transfer.open_tickets')}
              <ArrowRight aria-hidden />
            </Link>
          </Button>
        )}
        <UndoImport current={current} />
      </div>
    </>
  );
}

/** The import itself: its start, its progress and its result, which can be undone. */
export function ImportStep({ current, readAt }: { current: Import; readAt: number | undefined }) {
  const { state } = current;
  if (state === 'ready') return <Start current={current} />;
  if (state === 'importing' || state === 'undoing') {
    const label = state === 'importing' ? t('settings.transfer.importing') : t('settings.transfer.undoing');
    return (
      <>
        <Progress key={state} label={label} progress={current.progress} readAt={readAt} />
        <p className="text-xs text-pretty text-muted">{t('settings.transfer.you_can_leave')}</p>
        {state === 'importing' && <CancelImport current={current} label={t('settings.transfer.cancel_import')} />}
      </>
    );
  }
  return <Outcome current={current} />;
}
