import type { Erasure } from '@tandem/contracts';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useMemberName } from '../../../app/use-member-name';
import { formatDate } from '../../../lib/dates';
import { useNow } from '../../../lib/now';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Time } from '../../../ui/Time';
import { CancelErasure } from './CancelErasure';
import { canCancel, erasureNumber, erasureStateLabels, erasureStateTones, isUnderWay, progressText } from './erasure-labels';
import { erasureAddress } from './privacy-address';
import { useListErasuresInfiniteQuery } from './privacy.api';

export const erasurePollMs = 5_000;

function useErasures() {
  const now = useNow();
  const [polls, setPolls] = useState(false);
  const query = useListErasuresInfiniteQuery(undefined, {
    pollingInterval: polls ? erasurePollMs : 0,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnMountOrArgChange: true,
  });
  const erasures = query.data?.pages.flatMap(({ items }) => items);
  const isBusy = erasures?.some((each) => isUnderWay(each, now)) ?? false;
  if (isBusy !== polls) setPolls(isBusy);
  return { ...query, erasures };
}

function Row({ each, requestedBy }: { each: Erasure; requestedBy: string }) {
  const now = useNow();
  const number = erasureNumber(each);
  const detail =
    progressText(each, now) ??
    (each.state === 'done' && each.finished_at && t('settings.privacy.finished_when', { when: formatDate(each.finished_at) }));
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link to={erasureAddress(each.id)} className="font-medium [overflow-wrap:anywhere] hover:underline">
            {each.email ?? t('settings.privacy.erasure_number', { number })}
          </Link>
          <Badge tone={erasureStateTones[each.state]}>{erasureStateLabels[each.state]}</Badge>
        </p>
        <p className="text-xs text-muted tabular">
          {requestedBy} · <Time iso={each.created_at} relative />
          {detail && <span> · {detail}</span>}
        </p>
      </div>
      {canCancel(each, now) && <CancelErasure id={each.id} label={t('settings.privacy.cancel_erasure_number', { number })} />}
    </li>
  );
}

/** All erasures of the organization, newest first. */
export function ErasureList() {
  const id = useId();
  const memberName = useMemberName();
  const { erasures, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useErasures();
  if (!erasures && error) {
    return (
      <ErrorNote
        title={t('settings.privacy.couldnt_load_erasures')}
        detail={messageOf(error, '')}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    );
  }
  if (!erasures || erasures.length === 0) return null;
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('settings.privacy.erasures')} />
      <ul aria-label={t('settings.privacy.erasures')} className="divide-y">
        {erasures.map((each) => (
          <Row key={each.id} each={each} requestedBy={memberName(each.requested_by)} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="flex justify-center border-t p-4">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('settings.privacy.load_more')}
          </Button>
        </div>
      )}
    </Card>
  );
}
