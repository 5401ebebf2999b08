import type { TeamMember } from '@tandem/contracts';
import { ArrowDown, ArrowUp, Download } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { countText, hoursText, ratingText } from '../../lib/metric-format';
import type { FigureLink, MetricLinks } from '../../lib/metric-links';
import { nameOf } from '../../lib/names';
import { t } from '../../lib/staff-texts';
import { Avatar } from '../../ui/Avatar';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { downloadCsv } from '../../lib/csv';
import { useCells } from './charts/use-cells';
import { HowCounted } from './HowCounted';
import { metricLink } from './metric-link';
import type { SectionProps } from './section';

type Numbers =
  | 'assigned'
  | 'open'
  | 'resolved'
  | 'median_first_response_hours'
  | 'median_resolution_hours'
  | 'avg_satisfaction'
  | 'ratings';
const columns: { name: Numbers; label: string; text: (value: number | null) => string; figure: FigureLink }[] = [
  { name: 'assigned', label: t('analytics.assigned'), text: (value) => countText(value ?? 0), figure: 'total_tickets' },
  { name: 'open', label: t('analytics.open'), text: (value) => countText(value ?? 0), figure: 'open_tickets' },
  { name: 'resolved', label: t('analytics.resolved'), text: (value) => countText(value ?? 0), figure: 'resolution' },
  { name: 'median_first_response_hours', label: t('analytics.first_response'), text: hoursText, figure: 'first_response' },
  { name: 'median_resolution_hours', label: t('analytics.resolution'), text: hoursText, figure: 'resolution' },
  { name: 'avg_satisfaction', label: t('analytics.satisfaction'), text: ratingText, figure: 'ratings' },
  { name: 'ratings', label: t('analytics.ratings'), text: (value) => countText(value ?? 0), figure: 'ratings' },
];
interface Sorting {
  by: 'name' | Numbers;
  isDescending: boolean;
}

/** Members without a value come last in either direction. */
function sorted(team: TeamMember[], { by, isDescending }: Sorting): TeamMember[] {
  const sign = isDescending ? -1 : 1;
  return [...team].sort((one, other) => {
    if (by === 'name') return sign * nameOf(one).localeCompare(nameOf(other));
    const [a, b] = [one[by], other[by]];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (a - b) || nameOf(one).localeCompare(nameOf(other));
  });
}

function Heading({
  label,
  by,
  sorting,
  onSort,
}: {
  label: string;
  by: Sorting['by'];
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}) {
  const isSorted = sorting.by === by;
  const Arrow = sorting.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'}
      className={cn('px-3 font-medium max-xl:px-2', by === 'name' ? 'max-md:sticky max-md:left-0 max-md:bg-sunken' : 'text-right')}
    >
      <button
        type="button"
        onClick={() => onSort({ by, isDescending: isSorted ? !sorting.isDescending : by !== 'name' })}
        // The arrow precedes the name of a column of numbers, so that the name ends where the numbers end.
        className={cn(
          'inline-flex h-8 items-center gap-1 rounded-sm whitespace-nowrap hover:text-ink',
          by !== 'name' && 'flex-row-reverse',
        )}
      >
        {label}
        <Arrow className={cn('size-3', !isSorted && 'invisible')} aria-hidden />
      </button>
    </th>
  );
}

interface MemberRowProps {
  member: TeamMember;
  links: MetricLinks;
  row: number;
  cell: ReturnType<typeof useCells>['cell'];
}
function MemberRow({ member, links, row, cell }: MemberRowProps) {
  const name = nameOf(member);
  return (
    <tr className="break-inside-avoid">
      <th scope="row" className="px-3 py-2 font-normal max-md:sticky max-md:left-0 max-md:bg-surface max-xl:px-2">
        <span className="flex items-center gap-2">
          <Avatar name={name} size="xs" />
          <span dir="auto" className="max-w-56 truncate max-xl:max-w-44 max-sm:max-w-36" title={name}>
            {name}
          </span>
          {!member.is_active && <Badge tone="gray">{t('analytics.left')}</Badge>}
        </span>
      </th>
      {columns.map((column, index) => (
        <td key={column.name} className="px-3 py-2 text-right max-xl:px-2">
          <Link
            {...cell(row, index)}
            to={links.member(member.user_id, column.figure)}
            aria-label={`${name}, ${column.label}: ${column.text(member[column.name])}`}
            className={metricLink}
          >
            {column.text(member[column.name])}
          </Link>
        </td>
      ))}
    </tr>
  );
}

const save = (team: TeamMember[]) =>
  downloadCsv('team', [
    [t('analytics.member'), ...columns.map(({ label }) => label)],
    ...team.map((member) => [nameOf(member), ...columns.map(({ name }) => member[name])]),
  ]);

/** The tickets of the range by assignee. */
export function TeamTable({ analytics: { team }, links }: SectionProps) {
  const [sorting, onSort] = useState<Sorting>({ by: 'assigned', isDescending: true });
  const rows = sorted(team, sorting);
  const { box, cell } = useCells(rows.length, columns.length);
  return (
    <Card aria-labelledby="team" className="min-w-0">
      <header className="flex break-after-avoid items-start justify-between gap-3 px-4 pt-3 pb-2">
        <div>
          <div className="flex items-center gap-1">
            <h2 id="team" className="text-sm font-semibold">
              {t('analytics.team')}
            </h2>
            <HowCounted metric="first_response" />
          </div>
          <p className="mt-0.5 text-muted">
            {team.length === 0
              ? t('analytics.no_assigned_tickets_in_range')
              : t('analytics.members_with_assigned_tickets', { count: team.length })}
          </p>
        </div>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('analytics.download_csv_of_team')}
          title={t('analytics.download_csv')}
          onClick={() => save(rows)}
          className="-mr-1.5 print:hidden"
        >
          <Download aria-hidden />
        </Button>
      </header>
      {team.length > 0 && (
        <div {...box} className="overflow-x-auto border-t print:overflow-visible">
          <table className="tabular w-full text-left">
            <thead className="border-b bg-sunken text-xs text-muted">
              <tr>
                <Heading label={t('analytics.member')} by="name" sorting={sorting} onSort={onSort} />
                {columns.map(({ name, label }) => (
                  <Heading key={name} label={label} by={name} sorting={sorting} onSort={onSort} />
                ))}
              </tr>
            </thead>
            <tbody className="divide-y">
              {rows.map((member, row) => (
                <MemberRow key={member.user_id} member={member} links={links} row={row} cell={cell} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
