import type { ReactNode } from 'react';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeletons } from '../../ui/Skeleton';

interface SyncListProps<Item> {
  /** Accessible name of the list. */
  label: string;
  /** An infinite query of the rows. */
  query: {
    currentData?: { pages: { items: Item[] }[] } | undefined;
    error?: unknown;
    isFetching: boolean;
    isFetchingNextPage: boolean;
    hasNextPage: boolean;
    fetchNextPage: () => unknown;
    refetch: () => unknown;
  };
  errorTitle: string;
  empty: ReactNode;
  row: (item: Item) => ReactNode;
}

/** The rows of a sync log or of sync problems, page by page. */
export function SyncList<Item>({ label, query, errorTitle, empty, row }: SyncListProps<Item>) {
  const { currentData, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = query;
  const items = currentData?.pages.flatMap((page) => page.items);
  if (!items && error)
    return <ErrorNote title={errorTitle} detail={messageOf(error, '')} busy={isFetching} onRetry={() => void refetch()} />;
  if (!items) return <Skeletons className="flex flex-col gap-3" blocks={['h-12', 'h-12', 'h-12']} />;
  if (items.length === 0) return empty;
  return (
    <>
      <ul aria-label={label} className="divide-y">
        {items.map(row)}
      </ul>
      {hasNextPage && (
        <div className="border-t pt-3 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('integration.show_more')}
          </Button>
        </div>
      )}
    </>
  );
}
