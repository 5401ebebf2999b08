import {
  ArrowRight,
  Blocks,
  ChartNoAxesColumn,
  ChevronRight,
  CircleCheck,
  CircleDot,
  Inbox,
  Settings,
  UserRoundX,
  type LucideIcon,
} from 'lucide-react';
import type { Role } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';
import { useSession } from '../../app/api';
import { cn } from '../../lib/cn';
import { nameOf } from '../../lib/names';
import { sampleTicketPath, useSampleTicket } from '../../lib/sample-ticket';
import { t } from '../../lib/staff-texts';
import { PriorityBadge, StatusBadge, StatusMark } from '../../lib/ticket-badges';
import { Button } from '../../ui/Button';
import { Card, CardHeader } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorNote } from '../../ui/ErrorNote';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { Time } from '../../ui/Time';
import { recentCount, useReadTicketStatsQuery, useRecentTicketsQuery } from './dashboard.api';
import { MyLastDays } from './MyLastDays';
import { MyTickets } from './MyTickets';
import { SetupChecklist } from './SetupChecklist';

const count = new Intl.NumberFormat('en-US');

function Stat({ label, value, icon: Icon, tone }: { label: string; value: number | undefined; icon: LucideIcon; tone: string }) {
  return (
    <div className="flex flex-col justify-between rounded-lg border bg-surface p-4 max-sm:p-3">
      <div className="flex items-center gap-2 text-muted">
        <Icon className={`size-4 max-sm:hidden ${tone}`} aria-hidden />
        <h2 className="font-medium max-sm:text-xs">{label}</h2>
      </div>
      <div className="tabular mt-2 flex h-[1lh] items-center text-2xl font-semibold tracking-tight max-sm:text-xl">
        {value === undefined ? <Skeleton className="h-6 w-14" /> : <p>{count.format(value)}</p>}
      </div>
    </div>
  );
}

function Stats() {
  // Failures are only logged by the server; the cards stay in place without numbers.
  const { data, isError } = useReadTicketStatsQuery();
  return (
    <section aria-label={t('dashboard.ticket_counts')} aria-busy={!data && !isError} className="grid grid-cols-3 gap-3 max-sm:gap-2">
      <Stat label={t('dashboard.total_tickets')} value={data?.total} icon={Inbox} tone="text-muted" />
      <Stat label={t('dashboard.open_tickets')} value={data?.open} icon={CircleDot} tone="text-blue-solid" />
      <Stat label={t('dashboard.resolved_tickets')} value={data?.resolved} icon={CircleCheck} tone="text-green-solid" />
    </section>
  );
}

/** The grid of a row and of its placeholder. */
const recentRow = 'flex items-center gap-4 px-4 py-2.5 max-sm:flex-col max-sm:items-start max-sm:gap-1.5';

function RecentSkeleton() {
  return (
    <ul aria-hidden className="divide-y">
      {Array.from({ length: recentCount }, (_, index) => (
        <li key={index} className={recentRow}>
          <div className="min-w-0 flex-1 max-sm:w-full">
            <div className="flex h-[1lh] items-center">
              <Skeleton className="h-4 w-2/3" />
            </div>
            <div className="flex h-[1lh] items-center text-xs">
              <Skeleton className="h-3 w-1/4" />
            </div>
          </div>
          <Skeleton className="h-5 w-24" />
        </li>
      ))}
    </ul>
  );
}

function RecentTickets() {
  const { data, isError, isFetching, refetch } = useRecentTicketsQuery();
  const hasSample = useSampleTicket();
  if (!data && isError) return <ErrorNote title={t('dashboard.failed_to_load_tickets')} onRetry={() => void refetch()} busy={isFetching} />;
  if (!data) return <RecentSkeleton />;
  if (data.length === 0) {
    return (
      <EmptyState
        icon={Inbox}
        title={t('dashboard.no_customer_tickets_yet')}
        action={
          <>
            <Button asChild>
              <Link to="/tickets/new">{t('dashboard.new_ticket')}</Link>
            </Button>
            {hasSample && (
              <Button asChild variant="ghost">
                <Link to={sampleTicketPath}>{t('dashboard.see_sample_ticket')}</Link>
              </Button>
            )}
          </>
        }
      >
        {t('dashboard.when_tickets_appear')}
      </EmptyState>
    );
  }
  return (
    <ul className="divide-y">
      {data.map((ticket) => (
        <li key={ticket.id}>
          <Link to={`/tickets/${ticket.id}`} className={cn(recentRow, '-outline-offset-2 transition-colors hover:bg-hover')}>
            <div className="min-w-0 flex-1 max-sm:w-full">
              <p className="truncate font-medium">{ticket.subject}</p>
              <p className="truncate text-xs text-muted">
                {ticket.customer_name ?? ticket.customer_email}
                <span aria-hidden> ·</span> <Time iso={ticket.created_at} relative />
              </p>
            </div>
            <div className="flex shrink-0 gap-1.5">
              <StatusBadge status={ticket.status} />
              <PriorityBadge priority={ticket.priority} />
            </div>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const quickActions = [
  { to: '/tickets?status=open', label: t('dashboard.view_open_tickets'), mark: <StatusMark status="open" /> },
  { to: '/tickets?status=in_progress', label: t('dashboard.tickets_in_progress'), mark: <StatusMark status="in_progress" /> },
  {
    to: '/tickets?assignee=unassigned',
    label: t('dashboard.unassigned_tickets'),
    mark: <UserRoundX className="size-3.5 text-muted" aria-hidden />,
  },
];

const managerActions = [
  { to: '/analytics', label: t('dashboard.analytics'), mark: <ChartNoAxesColumn className="size-3.5 text-muted" aria-hidden /> },
];
const adminActions = [
  { to: '/integration', label: t('dashboard.task_tool_integration'), mark: <Blocks className="size-3.5 text-muted" aria-hidden /> },
];

function QuickActions({ role }: { role: Role | null }) {
  const actions = [...quickActions, ...(role === 'agent' ? [] : managerActions), ...(role === 'admin' ? adminActions : [])];
  return (
    <Card aria-labelledby="quick">
      <CardHeader id="quick" title={t('dashboard.quick_actions')} />
      <ul className="p-1.5">
        {actions.map(({ to, label, mark }) => (
          <li key={to}>
            <Link to={to} className="flex h-9 items-center gap-2.5 rounded-md px-2.5 transition-colors hover:bg-hover touch:h-11">
              {mark}
              {label}
              <ChevronRight className="ml-auto size-3.5 text-faint" aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function DashboardPage() {
  const { profile } = useSession();
  const isAdmin = profile.role === 'admin';
  const name = profile.first_name ?? nameOf(profile).split('@')[0];
  return (
    <div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
      <PageHeader title={t('dashboard.support_dashboard')} />
      <div className="mx-auto flex max-w-5xl flex-col gap-5 p-6 max-md:p-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="min-w-0">
            <p className="line-clamp-2 text-xl font-semibold tracking-tight wrap-anywhere">
              {t('dashboard.welcome_name', { name: name ?? '' })}
            </p>
            <p className="mt-0.5 text-muted">{t('dashboard.heres_what_needs_attention_today')}</p>
          </div>
          <div className="flex gap-2">
            {isAdmin && (
              <Button asChild>
                <Link to="/integration">
                  <Settings aria-hidden />
                  {t('dashboard.settings')}
                </Link>
              </Button>
            )}
            <Button asChild variant="primary">
              <Link to="/tickets">
                {t('dashboard.view_all_tickets')}
                <ArrowRight aria-hidden />
              </Link>
            </Button>
          </div>
        </div>
        <SetupChecklist />
        <Stats />
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_17rem]">
          <div className="flex min-w-0 flex-col gap-5">
            <Card aria-labelledby="recent">
              <CardHeader id="recent" title={t('dashboard.recent_tickets')} />
              <RecentTickets />
            </Card>
            <MyTickets />
          </div>
          <div className="flex flex-col gap-5">
            <QuickActions role={profile.role} />
            {profile.role === 'agent' && <MyLastDays />}
          </div>
        </div>
      </div>
    </div>
  );
}
