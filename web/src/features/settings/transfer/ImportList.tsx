import type { Import } from '@tandem/contracts';
import { importSourceNames } from '@tandem/contracts/values';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useMemberName } from '../../../app/use-member-name';
import { useNow } from '../../../lib/now';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeletons } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import { canUndo, foundKinds, importStateLabels, importStateTones, isActive } from './import-labels';
import { useListImportsInfiniteQuery } from './imports.api';
import { sourceIcons } from './source-icons';
import { SourcePicker } from './SourcePicker';
import { undoLeftText } from './time-left';
import { importAddress } from './use-import-address';

const pollMs = 2_000;

function useImports() {
  const [polls, setPolls] = useState(false);
  const query = useListImportsInfiniteQuery(undefined, {
    pollingInterval: polls ? pollMs : 0,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnMountOrArgChange: true,
  });
  const imports = query.data?.pages.flatMap(({ items }) => items);
  const isBusy = imports?.some(({ state }) => isActive(state)) ?? false;
  if (isBusy !== polls) setPolls(isBusy);
  return { ...query, imports };
}

/** What it has created or found, or how far it is. */
function resultOf({ state, counts, progress }: Import): string {
  if (isActive(state) && progress?.total)
    return t('settings.transfer.percent', { percent: Math.floor((100 * progress.done) / Math.max(1, progress.total)) });
  return foundKinds(counts)
    .map(({ label, counts: { created, found } }) => ({ label, count: created || (state === 'ready' ? found : 0) }))
    .filter(({ count }) => count > 0)
    .slice(0, 3)
    .map(({ label, count }) => t('settings.transfer.label_count', { label, count }))
    .join(' · ');
}

function Row({ each, author, now }: { each: Import; author: string; now: number }) {
  const Icon = sourceIcons[each.source];
  const result = resultOf(each);
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <span className="mt-0.5 grid size-8 shrink-0 place-items-center rounded-md bg-hover text-muted [&_svg]:size-4">
        <Icon aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link to={importAddress(each.id)} className="font-medium [overflow-wrap:anywhere] hover:underline">
            {importSourceNames[each.source]}
            {each.name && <span className="font-normal text-muted"> · {each.name}</span>}
          </Link>
          <Badge tone={importStateTones[each.state]}>{importStateLabels[each.state]}</Badge>
        </p>
        <p className="text-xs text-muted">
          {author} · <Time iso={each.created_at} relative />
          {result && <span className="tabular"> · {result}</span>}
        </p>
        {canUndo(each, now) && <p className="text-xs text-muted tabular">{undoLeftText(each.undo_until!, now)}</p>}
      </div>
    </li>
  );
}

function Imports({ imports, more }: { imports: Import[]; more: false | { isBusy: boolean; onLoad: () => void } }) {
  const id = useId();
  const now = useNow();
  const memberName = useMemberName();
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('settings.transfer.imports')} />
      <ul aria-label={t('settings.transfer.imports')} className="divide-y">
        {imports.map((each) => (
          <Row key={each.id} each={each} author={memberName(each.created_by)} now={now} />
        ))}
      </ul>
      {more && (
        <div className="flex justify-center border-t p-4">
          <Button busy={more.isBusy} onClick={more.onLoad}>
            {t('settings.transfer.load_more')}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** The sources of a new import, and all imports of the organization, newest first. */
export function ImportList() {
  const id = useId();
  const { imports, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useImports();
  return (
    <div className="flex flex-col gap-5">
      <Card aria-labelledby={id}>
        <CardHeader id={id} title={t('settings.transfer.new_import')} />
        <p className="px-4 pt-3 text-pretty text-muted">{t('settings.transfer.about_imports')}</p>
        <SourcePicker label={t('settings.transfer.sources')} />
      </Card>
      {!imports && error && (
        <ErrorNote
          title={t('settings.transfer.couldnt_load_imports')}
          detail={messageOf(error, '')}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      )}
      {!imports && !error && (
        <Card>
          <Skeletons blocks={['h-10', 'h-10']} />
        </Card>
      )}
      {imports && imports.length > 0 && (
        <Imports imports={imports} more={hasNextPage && { isBusy: isFetchingNextPage, onLoad: () => void fetchNextPage() }} />
      )}
    </div>
  );
}
