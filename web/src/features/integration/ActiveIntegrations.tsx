import type { TaskTool } from '@tandem/contracts';
import { Blocks } from 'lucide-react';
import { lazy, Suspense, useId } from 'react';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Card, CardHeader } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeletons } from '../../ui/Skeleton';
import { useListIntegrationsQuery } from './integration.api';

const IntegrationRow = lazy(() => import('./IntegrationRow').then((module) => ({ default: module.IntegrationRow })));

/** Only failures are pushed as events, so counts and times are polled at this interval while the tab has the focus. */
const refreshMs = 30_000;
/** With up to this many integrations each shows its count of older tickets; with more, only on request. */
const fewIntegrations = 5;

const LoadingRows = () => <Skeletons blocks={['h-5 w-2/3', 'h-4 w-1/2', 'h-8 w-72 max-w-full']} />;

export function ActiveIntegrations({ tools }: { tools: TaskTool[] }) {
  const id = useId();
  const { data, error, isFetching, refetch } = useListIntegrationsQuery(undefined, {
    pollingInterval: refreshMs,
    skipPollingIfUnfocused: true,
  });
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('integration.active_integrations')} />
      {!data && error && (
        <ErrorNote
          title={t('integration.couldnt_load_integrations')}
          detail={messageOf(error, '')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <LoadingRows />}
      {data?.length === 0 && (
        <EmptyState icon={Blocks} title={t('integration.no_integrations_yet')}>
          {t('integration.choose_a_list_first')}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <Suspense fallback={<LoadingRows />}>
          {data.length > 1 && <p className="border-b px-4 py-2 text-xs text-muted">{t('integration.how_lists_are_chosen')}</p>}
          <ul aria-label={t('integration.active_integrations')} className="divide-y">
            {data.map((integration, index) => (
              <IntegrationRow
                key={integration.id}
                integration={integration}
                place={data.length > 1 ? { all: data, index } : undefined}
                tool={tools.find(({ key }) => key === integration.provider)}
                countsOlder={data.length <= fewIntegrations}
                namesTool={data.some(({ provider }) => provider !== integration.provider)}
              />
            ))}
          </ul>
        </Suspense>
      )}
    </Card>
  );
}
