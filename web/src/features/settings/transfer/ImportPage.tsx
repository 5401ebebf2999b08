import type { Import } from '@tandem/contracts';
import { importFailures, importSourceNames, isApiSource } from '@tandem/contracts/values';
import { ArrowLeft, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { announce } from '../../../lib/announce';
import { isProblem, messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeletons } from '../../../ui/Skeleton';
import { ImportSteps } from './ImportSteps';
import { importStateLabels, importStateTones, isActive } from './import-labels';
import { useReadImportQuery } from './imports.api';
import { importsAddress } from './use-import-address';

const pollMs = 2_000;

/** Polls while a worker is busy with the import and the page is visible. */
function useImport(id: string) {
  const [polls, setPolls] = useState(false);
  const query = useReadImportQuery(id, {
    pollingInterval: polls ? pollMs : 0,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnMountOrArgChange: true,
  });
  const isBusy = query.data !== undefined && isActive(query.data.state);
  if (isBusy !== polls) setPolls(isBusy);
  return query;
}

const back = (
  <Link to={importsAddress} className="flex items-center gap-1.5 self-start text-muted hover:text-ink">
    <ArrowLeft className="size-4" aria-hidden />
    {t('settings.transfer.all_imports')}
  </Link>
);

function Heading({ current: { source, name, state, address } }: { current: Import }) {
  const label = importStateLabels[state];
  useEffect(() => announce(label), [label]);
  return (
    <div className="-mb-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="text-md font-semibold">{t('settings.transfer.import_from_name', { name: importSourceNames[source] })}</h2>
      <Badge tone={importStateTones[state]}>{label}</Badge>
      {(address ?? name) && (
        <p className="basis-full [overflow-wrap:anywhere] text-muted" dir="auto">
          {isApiSource(source) ? address : name}
        </p>
      )}
    </div>
  );
}

function Failure({ current: { failure, state } }: { current: Import }) {
  if (state !== 'failed') return null;
  return (
    <Alert tone="destructive">
      <p>{failure ? importFailures[failure] : t('settings.transfer.import_failed')}</p>
      <Link to={importsAddress} className="font-medium underline underline-offset-2">
        {t('settings.transfer.start_new_import')}
      </Link>
    </Alert>
  );
}

/** One import: all of its steps on one page, in the state that the server has. */
export function ImportPage({ id }: { id: string }) {
  const { data, error, isFetching, refetch, fulfilledTimeStamp } = useImport(id);
  if (!data && isProblem(error) && error.status === 404)
    return (
      <EmptyState
        icon={SearchX}
        title={messageOf(error, '')}
        action={
          <Button asChild>
            <Link to={importsAddress}>{t('settings.transfer.all_imports')}</Link>
          </Button>
        }
      />
    );
  if (!data && error)
    return (
      <ErrorNote
        title={t('settings.transfer.couldnt_load_import')}
        detail={messageOf(error, '')}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    );
  if (!data)
    return (
      <Card>
        <Skeletons blocks={['h-16', 'h-16', 'h-16']} />
      </Card>
    );
  return (
    <div className="flex flex-col gap-4">
      {back}
      <Heading current={data} />
      <Failure current={data} />
      <ImportSteps current={data} readAt={fulfilledTimeStamp} />
    </div>
  );
}
