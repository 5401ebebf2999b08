import type { Import, ImportProblem } from '@tandem/contracts';
import { importLimits, recordKindNames } from '@tandem/contracts/values';
import { ChevronRight, CircleX, Download, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { cn } from '../../../lib/cn';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Skeletons } from '../../../ui/Skeleton';
import { useListImportProblemsInfiniteQuery } from './import-work.api';
import { downloadProblems, problemGroups, type ProblemGroup } from './problem-groups';

const placeOf = ({ file, line }: ImportProblem): string =>
  [file, line === null ? null : t('settings.transfer.line_number', { line })].filter(Boolean).join(', ');

function ProblemRow({ problem }: { problem: ImportProblem }) {
  const { kind, key, field, value } = problem;
  const subject = [kind && recordKindNames[kind], key].filter(Boolean).join(' · ');
  return (
    <li className="grid gap-x-4 py-1.5 text-xs [overflow-wrap:anywhere] md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,2fr)]">
      <span>{placeOf(problem)}</span>
      <span className="text-muted">{subject}</span>
      <span className="text-muted">
        {field}
        {field && value ? ': ' : ''}
        {value && <code className="rounded-xs bg-hover px-1">{value}</code>}
      </span>
    </li>
  );
}

function ProblemRows({ importId, group }: { importId: string; group: ProblemGroup }) {
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useListImportProblemsInfiniteQuery({
    id: importId,
    code: group.code,
  });
  const problems = data?.pages.flatMap(({ items }) => items);
  if (!problems && error)
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 px-3 pb-3 text-red-text">
        {messageOf(error, t('settings.transfer.couldnt_load_problems'))}
        <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
          {t('settings.transfer.try_again')}
        </Button>
      </div>
    );
  if (!problems) return <Skeletons blocks={['h-4', 'h-4 w-3/4']} className="flex flex-col gap-2 px-3 pb-3" />;
  return (
    <div className="px-3 pb-2 md:pl-10">
      <ul aria-label={group.title} className="divide-y">
        {problems.map((problem, index) => (
          <ProblemRow key={index} problem={problem} />
        ))}
      </ul>
      {hasNextPage && (
        <Button size="sm" className="mt-1" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('settings.transfer.show_more')}
        </Button>
      )}
    </div>
  );
}

function Group({ importId, group }: { importId: string; group: ProblemGroup }) {
  const [isOpen, setIsOpen] = useState(false);
  const Icon = group.isError ? CircleX : TriangleAlert;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        className="flex w-full items-center gap-2.5 px-3 py-2 text-left hover:bg-hover"
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon className={cn('size-4 shrink-0', group.isError ? 'text-red-text' : 'text-amber-text')} aria-hidden />
        <span className="min-w-0 flex-1 text-pretty">
          {group.title}
          {group.isError && <span className="block text-xs text-muted">{t('settings.transfer.records_are_left_out')}</span>}
        </span>
        <span className="text-muted tabular">{group.count.toLocaleString('en-US')}</span>
        <ChevronRight className={cn('size-4 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')} aria-hidden />
      </button>
      {isOpen && <ProblemRows importId={importId} group={group} />}
    </li>
  );
}

function DownloadProblems({ current }: { current: Import }) {
  const [isBusy, setIsBusy] = useState(false);
  const download = async () => {
    setIsBusy(true);
    const problem = await downloadProblems(current.id, t('settings.transfer.problems_file_name'));
    setIsBusy(false);
    if (problem) notify.problem(problem, t('settings.transfer.couldnt_load_problems'));
  };
  return (
    <Button size="sm" busy={isBusy} onClick={() => void download()}>
      {!isBusy && <Download aria-hidden />}
      {t('settings.transfer.download_problems')}
    </Button>
  );
}

/** The problems of an import by their code: how many, and where each is in the source. */
export function Problems({ current }: { current: Import }) {
  const id = useId();
  const groups = problemGroups(current.problems);
  if (groups.length === 0) return null;
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id={id} className="font-semibold">
          {t('settings.transfer.problem_count', { count: total })}
        </h3>
        <DownloadProblems current={current} />
      </div>
      <ul className="divide-y overflow-hidden rounded-lg border">
        {groups.map((group) => (
          <Group key={group.code} importId={current.id} group={group} />
        ))}
      </ul>
      {total > importLimits.problems && (
        <p className="text-xs text-muted">{t('settings.transfer.first_problems_are_listed', { count: importLimits.problems })}</p>
      )}
    </section>
  );
}
