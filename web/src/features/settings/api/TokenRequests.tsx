import type { ApiToken, ApiTokenRequest } from '@tandem/contracts';
import { apiTokenRules } from '@tandem/contracts/values';
import { Copy, ScrollText } from 'lucide-react';
import { copyText } from '../../../lib/clipboard';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Badge, type BadgeTone } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorNote } from '../../../ui/ErrorNote';
import { SidePanel } from '../../../ui/SidePanel';
import { Skeletons } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import { useListApiTokenRequestsInfiniteQuery } from './tokens.api';

const toneOf = (status: number): BadgeTone => (status < 400 ? 'green' : status < 500 ? 'amber' : 'red');

function RequestItem({ request }: { request: ApiTokenRequest }) {
  return (
    <li className="flex flex-col gap-1 py-2.5">
      <div className="flex items-center gap-2">
        <Badge tone={toneOf(request.status)}>{request.status}</Badge>
        <span className="w-14 shrink-0 font-mono text-xs font-medium">{request.method}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs" title={request.path}>
          {request.path}
        </span>
        <span className="shrink-0 text-xs text-muted tabular">
          {t('settings.api.round_ms', { round: Math.round(request.duration_ms) })}
        </span>
      </div>
      <div className="flex items-center gap-2 text-xs text-muted">
        <Time iso={request.at} relative />
        {request.code && (
          <>
            <span aria-hidden>·</span>
            <span className="truncate font-mono">{request.code}</span>
          </>
        )}
        <Button
          variant="ghost"
          size="sm"
          className="-my-1 ml-auto"
          title={request.request_id}
          onClick={() => void copyText(request.request_id, 'Copied!')}
        >
          <Copy aria-hidden />
          {t('settings.api.request_id')}
        </Button>
      </div>
    </li>
  );
}

function Requests({ id }: { id: string }) {
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useListApiTokenRequestsInfiniteQuery(id);
  const requests = data?.pages.flatMap((page) => page.requests);
  if (!requests && error)
    return (
      <ErrorNote
        title={t('settings.api.couldnt_load_requests')}
        detail={messageOf(error, '')}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    );
  if (!requests) return <Skeletons className="flex flex-col gap-5 pt-2" blocks={Array.from({ length: 8 }, () => 'h-9')} />;
  if (requests.length === 0)
    return (
      <EmptyState icon={ScrollText} title={t('settings.api.no_requests_in_last_days', { requestLogDays: apiTokenRules.requestLogDays })}>
        {t('settings.api.no_requests_yet')}
      </EmptyState>
    );
  return (
    <>
      <ul aria-label={t('settings.api.requests_newest_first')} className="divide-y">
        {requests.map((request, index) => (
          <RequestItem key={`${request.request_id} ${index}`} request={request} />
        ))}
      </ul>
      {error && !isFetching && (
        <p role="alert" className="pt-3 text-center text-red-text">
          {t('settings.api.couldnt_load_more_requests')}
        </p>
      )}
      {hasNextPage && (
        <div className="flex justify-center border-t pt-4">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {error ? t('settings.api.try_again') : t('settings.api.load_more')}
          </Button>
        </div>
      )}
    </>
  );
}

/** The log of one token's requests. */
export function TokenRequests({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  return (
    <SidePanel
      open
      onClose={onClose}
      title={t('settings.api.requests_of_name', { name: token.name })}
      description={t('settings.api.requests_of_last_days', { requestLogDays: apiTokenRules.requestLogDays })}
    >
      <Requests id={token.id} />
    </SidePanel>
  );
}
