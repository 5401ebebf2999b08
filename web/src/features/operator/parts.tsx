import type { ReactNode } from 'react';
import { isProblem } from '../../lib/problem';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeleton } from '../../ui/Skeleton';

const units = [
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** `3 min`; whole units, rounded down. */
export function formatSeconds(seconds: number): string {
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? units[3];
  const value = Math.floor(seconds / size);
  return `${value} ${unit === 'day' && value !== 1 ? 'days' : unit}`;
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
export function Loaded<Data>({ query, what, children }: { query: Query<Data>; what: string; children: (data: Data) => ReactNode }) {
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined) return <>{children(data)}</>;
  if (error === undefined) return <Skeleton className="m-4 h-24" />;
  const detail = isProblem(error) ? error.title : undefined;
  return <ErrorNote title={`Could not load ${what}`} detail={detail} onRetry={() => void refetch()} busy={isFetching} />;
}
