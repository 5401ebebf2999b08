import type { Rule, RuleRun } from '@tandem/contracts';
import { History } from 'lucide-react';
import { useId } from 'react';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeletons } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import { triggerLabels } from './outcome-labels';
import type { RuleNames } from './rule-labels';
import { useListRuleRunsInfiniteQuery } from './rules.api';
import { TicketOutcome } from './TicketOutcome';

const Run = ({ run, names }: { run: RuleRun; names: RuleNames }) => (
  <TicketOutcome ticket={run.ticket} outcome={run} names={names} tense="done">
    <span>{triggerLabels[run.trigger]}</span>
    <span aria-hidden>·</span>
    <Time iso={run.created_at} relative />
  </TicketOutcome>
);

/** What the rule has done in the last 30 days, newest first. */
export function RuleRuns({ rule, names }: { rule: Rule; names: RuleNames }) {
  const id = useId();
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useListRuleRunsInfiniteQuery(rule.id);
  const runs = data?.pages.flatMap(({ items }) => items);
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('settings.rules.runs')} />
      {!runs && error && (
        <ErrorNote
          title={t('settings.rules.couldnt_load_runs')}
          detail={messageOf(error, '')}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      )}
      {!runs && !error && <Skeletons blocks={['h-9', 'h-9', 'h-9']} />}
      {runs?.length === 0 && (
        <EmptyState icon={History} title={t('settings.rules.no_runs_yet')}>
          {t('settings.rules.where_runs_appear')}
        </EmptyState>
      )}
      {runs && runs.length > 0 && (
        <ul aria-label={t('settings.rules.runs_newest_first')} className="divide-y">
          {runs.map((run) => (
            <Run key={run.id} run={run} names={names} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className="flex justify-center border-t p-3">
          <Button size="sm" variant="ghost" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('settings.rules.show_more')}
          </Button>
        </div>
      )}
    </Card>
  );
}
