import type { Import } from '@tandem/contracts';
import { isApiSource } from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { t } from '../../../lib/staff-texts';
import { CancelImport } from './CancelImport';
import { CheckStep } from './CheckStep';
import { ColumnsStep, isMapped, missingOf } from './ColumnsStep';
import { failedOf, foundKinds, hasStarted, isEditable } from './import-labels';
import { ImportStep } from './ImportStep';
import { useImportUploads } from './import-uploads';
import { hasMatches, MatchStep, matchSummary } from './MatchStep';
import { problemGroups } from './problem-groups';
import { SourceSteps } from './SourceSteps';
import { Step, type StepState } from './Step';
import { UploadStep } from './UploadStep';

interface StepDefinition {
  key: string;
  title: string;
  state: StepState;
  summary: string;
  isFolded?: boolean;
  content: ReactNode;
}

/** The state of the parts that an admin prepares. */
function usePreparation(current: Import) {
  const uploads = useImportUploads(current.id);
  const isApi = isApiSource(current.source);
  const isUploaded = isApi || (current.files.length > 0 && uploads.length === 0 && current.files.every((file) => file.is_uploaded));
  const isReady = isUploaded && (current.source !== 'csv' || isMapped(current));
  const hasCounts = Object.keys(current.counts).length > 0;
  return {
    isApi,
    isUploaded,
    isReady,
    isChecked: current.state !== 'preparing' && current.state !== 'checking' && hasCounts,
    /** It was checked, and then something was changed that needs another check. */
    isOutdated: current.state === 'preparing' && hasCounts,
  };
}
type Preparation = ReturnType<typeof usePreparation>;

function sourceStep(current: Import, { isApi, isUploaded, isOutdated }: Preparation): StepDefinition {
  const isOpen = current.state === 'preparing';
  const isFolded = !isOpen || (isOutdated && isUploaded);
  if (isApi)
    return {
      key: 'source',
      title: t('settings.transfer.step_connection'),
      state: 'done',
      summary: t('settings.transfer.token_is_stored'),
      isFolded: true,
      content: isEditable(current.state) ? <SourceSteps source={current.source} /> : null,
    };
  return {
    key: 'source',
    title: t('settings.transfer.step_upload'),
    state: isUploaded || !isOpen ? 'done' : 'current',
    summary:
      isOpen && !isUploaded
        ? t('settings.transfer.what_upload_needs')
        : t('settings.transfer.files_uploaded', { count: current.files.length }),
    isFolded,
    content: <UploadStep current={current} isEditable={isEditable(current.state)} />,
  };
}

function columnsStep(current: Import, { isOutdated }: Preparation): StepDefinition {
  const isOpen = current.state === 'preparing';
  const missing = missingOf(current);
  const hasColumns = current.files.some(({ columns }) => columns !== null);
  const state = !hasColumns ? 'upcoming' : isOpen && !isMapped(current) ? 'current' : 'done';
  return {
    key: 'columns',
    title: t('settings.transfer.step_columns'),
    state,
    summary:
      state === 'current' && missing.length > 0
        ? t('settings.transfer.columns_missing', { names: missing.join(', ') })
        : state === 'done' && !isOpen
          ? t('settings.transfer.columns_are_chosen')
          : t('settings.transfer.what_columns_are'),
    isFolded: !isOpen || (isOutdated && isMapped(current)),
    content: isEditable(current.state) ? <ColumnsStep current={current} /> : null,
  };
}

function checkSummary(current: Import, { isChecked, isOutdated }: Preparation): string {
  if (isOutdated) return t('settings.transfer.check_is_outdated');
  if (!isChecked) return t('settings.transfer.check_finds_problems');
  const problems = problemGroups(current.problems).reduce((sum, { count }) => sum + count, 0);
  const found = foundKinds(current.counts)
    .map(({ label, counts }) => t('settings.transfer.label_count', { label, count: counts.found }))
    .slice(0, 3)
    .join(', ');
  return t('settings.transfer.check_result', { found, problems });
}

function checkStep(current: Import, preparation: Preparation, readAt: number | undefined): StepDefinition {
  const { isReady, isChecked, isOutdated } = preparation;
  const isWaiting = current.state === 'preparing' && !isReady;
  return {
    key: 'check',
    title: t('settings.transfer.step_check'),
    state: isChecked ? 'done' : (current.state === 'preparing' && !isWaiting) || current.state === 'checking' ? 'current' : 'upcoming',
    summary: checkSummary(current, preparation),
    isFolded: isChecked && current.state !== 'ready',
    content:
      isChecked || isEditable(current.state) || current.state === 'checking' ? (
        <CheckStep current={current} isOutdated={isOutdated} readAt={readAt} />
      ) : null,
  };
}

function matchStep(current: Import, { isChecked, isOutdated, isReady }: Preparation): StepDefinition {
  const isShown = isChecked || isOutdated;
  return {
    key: 'match',
    title: t('settings.transfer.step_match'),
    state: isShown ? 'done' : 'upcoming',
    summary: isShown ? matchSummary(current) : t('settings.transfer.what_match_is'),
    isFolded: !isEditable(current.state),
    content:
      isShown && isEditable(current.state) && hasMatches(current) ? (
        <MatchStep current={current} needsCheck={isOutdated && isReady} />
      ) : null,
  };
}

function importStep(current: Import, readAt: number | undefined): StepDefinition {
  const { state } = current;
  const isOver = state === 'done' || state === 'undone' || ((state === 'cancelled' || state === 'failed') && hasStarted(current));
  const isCurrent = state === 'ready' || state === 'importing' || state === 'undoing';
  const summaries: Partial<Record<Import['state'], string>> = {
    done: t('settings.transfer.import_is_done', { failed: failedOf(current.counts) }),
    undone: t('settings.transfer.import_is_undone'),
    cancelled: t('settings.transfer.import_is_cancelled'),
  };
  return {
    key: 'import',
    title: t('settings.transfer.step_import'),
    state: isOver ? 'done' : isCurrent ? 'current' : 'upcoming',
    summary: (isOver ? summaries[state] : undefined) ?? t('settings.transfer.what_import_does'),
    content: <ImportStep current={current} readAt={readAt} />,
  };
}

/** The steps of an import, from the source to the result. */
export function ImportSteps({ current, readAt }: { current: Import; readAt: number | undefined }) {
  const preparation = usePreparation(current);
  const steps = [
    sourceStep(current, preparation),
    ...(current.source === 'csv' ? [columnsStep(current, preparation)] : []),
    checkStep(current, preparation, readAt),
    matchStep(current, preparation),
    importStep(current, readAt),
  ];
  return (
    <>
      <ol aria-label={t('settings.transfer.steps')} className="flex flex-col gap-3">
        {steps.map(({ key, content, ...step }, index) => (
          <Step key={key} number={index + 1} {...step}>
            {content}
          </Step>
        ))}
      </ol>
      {current.state === 'preparing' && <CancelImport current={current} label={t('settings.transfer.discard')} />}
    </>
  );
}
