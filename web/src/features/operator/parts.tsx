import type { ReactNode } from 'react';
import { isProblem } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeleton } from '../../ui/Skeleton';

const units: [seconds: number, text: (count: number) => string][] = [
  [86_400, (count) => t('operator.count_days', { count })],
  [3_600, (count) => t('operator.count_hours', { count })],
  [60, (count) => t('operator.count_minutes', { count })],
];

/** `3 min`; whole units, rounded down. */
export function formatSeconds(seconds: number): string {
  const unit = units.find(([size]) => seconds >= size);
  return unit ? unit[1](Math.floor(seconds / unit[0])) : t('operator.count_seconds', { count: Math.floor(seconds) });
}

interface DataTableProps {
  label: string;
  head: readonly string[];
  className?: string;
  children: ReactNode;
}

/** A table that scrolls sideways on narrow screens. */
export function DataTable({ label, head, className = '', children }: DataTableProps) {
  return (
    <div className={`overflow-x-auto ${className}`} tabIndex={0} role="region" aria-label={label}>
      <table className="w-full text-left text-sm">
        <thead className="text-muted">
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y border-t">{children}</tbody>
      </table>
    </div>
  );
}

export const Cell = ({ children, className = '' }: { children: ReactNode; className?: string }) => (
  <td className={`px-4 py-2 align-top ${className}`}>{children}</td>
);

export const StateBadge = ({ tone, children }: { tone: BadgeTone; children: ReactNode }) => <Badge tone={tone}>{children}</Badge>;

interface Query<Data> {
  data?: Data | undefined;
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** The data of a query, or what stands in for it while it loads or after it failed. */
export function Loaded<Data>({ query, failure, children }: { query: Query<Data>; failure: string; children: (data: Data) => ReactNode }) {
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined) return <>{children(data)}</>;
  if (error === undefined) return <Skeleton className="m-4 h-24" />;
  const detail = isProblem(error) ? error.title : undefined;
  return <ErrorNote title={failure} detail={detail} onRetry={() => void refetch()} busy={isFetching} />;
}
