import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { ErrorPage } from '../../app/ErrorPage';
import { NotFoundPage } from '../../app/NotFoundPage';
import { useHotkeys } from '../../lib/keyboard';
import { isProblem } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { undoLast } from '../../lib/undo';
import { Button } from '../../ui/Button';
import { Logo } from '../../ui/Logo';
import { useDocumentTitle } from '../../ui/PageHeader';
import { FirstSkeleton } from '../../ui/PageSkeletons';
import { TabSet } from '../../ui/Tabs';
import { ConnectionsTab } from './ConnectionsTab';
import { DeadLettersTab } from './DeadLettersTab';
import { useReadOperationsQuery } from './operator.api';
import { OperatorLogTab } from './OperatorLogTab';
import { OrganizationsTab } from './OrganizationsTab';
import { OverviewTab } from './OverviewTab';

type TabName = 'overview' | 'dead-letters' | 'connections' | 'organizations' | 'log';

/** /operator: the state of the installation. For all users but its operators, the address does not exist. */
export function OperatorPage() {
  const { data, error, isFetching, refetch } = useReadOperationsQuery();
  const [tab, setTab] = useState<TabName>('overview');
  useDocumentTitle(data ? t('operator.operations') : null);
  useHotkeys({ z: undoLast });
  const isUnknown = isProblem(error) && (error.status === 404 || error.status === 401);
  if (isUnknown) return <NotFoundPage />;
  if (!data) return error ? <ErrorPage onRetry={() => void refetch()} /> : <FirstSkeleton />;
  const tabs = [
    { value: 'overview' as const, label: t('operator.overview'), panel: <OverviewTab installation={data} /> },
    { value: 'dead-letters' as const, label: t('operator.dead_letters'), panel: <DeadLettersTab /> },
    { value: 'connections' as const, label: t('operator.connections'), panel: <ConnectionsTab /> },
    { value: 'organizations' as const, label: t('operator.organizations'), panel: <OrganizationsTab /> },
    { value: 'log' as const, label: t('operator.log'), panel: <OperatorLogTab /> },
  ];
  return (
    <div className="min-h-dvh bg-canvas">
      <header className="flex items-center justify-between gap-4 border-b bg-surface px-6 py-3 max-md:px-4">
        <Logo />
        {tab === 'overview' && (
          <Button onClick={() => void refetch()} busy={isFetching}>
            {!isFetching && <RotateCw aria-hidden />}
            {t('operator.refresh')}
          </Button>
        )}
      </header>
      <main id="content" tabIndex={-1} className="mx-auto max-w-[72rem] p-6 max-md:p-4">
        <h1 className="text-xl font-semibold tracking-tight">{t('operator.operations')}</h1>
        <p className="mt-1 mb-4 text-muted">{t('operator.what_page_shows')}</p>
        <TabSet label={t('operator.operations')} tabs={tabs} value={tab} onChange={setTab} panelClassName="mt-4" />
      </main>
    </div>
  );
}
