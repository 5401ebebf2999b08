import type { Ticket, TicketTask } from '@tandem/contracts';
import {
  ChevronDown,
  CircleCheck,
  CircleSlash,
  Ellipsis,
  ExternalLink,
  LoaderCircle,
  RefreshCw,
  TriangleAlert,
  Unlink,
  UserRound,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { announce } from '../../../lib/announce';
import { cn } from '../../../lib/cn';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Avatar } from '../../../ui/Avatar';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { Menu, type MenuEntry } from '../../../ui/Menu';
import { Time } from '../../../ui/Time';
import { categoryDots } from './linked-task-labels';
import { Section } from './Section';
import { useLinkTaskMutation, useSyncTaskMutation, useUnlinkTaskMutation, type LinkChoice } from './task.api';

function Title({ task }: { task: TicketTask }) {
  const title = task.title ?? task.task_id ?? t('tickets.panel.new_task');
  if (!task.url || task.state === 'gone')
    return (
      <p dir="auto" title={title} className="truncate font-medium">
        {title}
      </p>
    );
  return (
    <a
      href={task.url}
      target="_blank"
      rel="noopener noreferrer"
      title={title}
      className="group/task flex min-w-0 items-center gap-1.5 font-medium hover:text-accent-text"
    >
      <span dir="auto" className="truncate group-hover/task:underline">
        {title}
      </span>
      <ExternalLink className="size-3.5 shrink-0 text-faint" aria-hidden />
      <span className="sr-only">{t('tickets.panel.opens_tool_in_new_tab', { tool_name: task.tool_name })}</span>
    </a>
  );
}

function Place({ task: { status, tool_name, list_name } }: { task: TicketTask }) {
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-xs">
      {status && (
        <>
          <span
            aria-hidden
            className={cn('size-2 shrink-0 rounded-full', !status.color && categoryDots[status.category])}
            style={status.color ? { backgroundColor: status.color } : undefined}
          />
          <span className="max-w-[60%] shrink-0 truncate font-medium first-letter:uppercase" title={status.name}>
            {status.name}
          </span>
        </>
      )}
      <span className="truncate text-muted" title={`${tool_name}, ${list_name}`}>
        {tool_name} · {list_name}
      </span>
    </p>
  );
}

function Assignees({ names }: { names: string[] }) {
  const [first] = names;
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-xs text-muted" title={names.length > 1 ? names.join(', ') : undefined}>
      {first === undefined ? (
        <span className="grid size-5 place-items-center rounded-full border border-dashed border-line-strong text-faint">
          <UserRound className="size-3" aria-hidden />
        </span>
      ) : (
        <span className="flex -space-x-1.5">
          {names.slice(0, 3).map((name) => (
            <Avatar key={name} name={name} size="xs" className="ring-2 ring-surface" />
          ))}
        </span>
      )}
      <span className="truncate">{first === undefined ? t('tickets.panel.unassigned') : names.join(', ')}</span>
    </p>
  );
}

/** The other tickets that share this task, and the one that its fields sync with. */
function Sharing({ task: { sharing, state } }: { task: TicketTask }) {
  const { is_primary, tickets, customers, others } = sharing;
  if (tickets < 2 || state === 'gone') return null;
  const more = tickets - 1 - others.length;
  return (
    <details className="group/sharing text-xs text-muted">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-sm hover:text-ink [&::-webkit-details-marker]:hidden">
        <Users className="size-3.5 shrink-0" aria-hidden />
        {t('tickets.panel.customers_and_tickets', { customers, tickets })}
        <ChevronDown className="size-3 transition-transform group-open/sharing:rotate-180" aria-hidden />
      </summary>
      <ul aria-label={t('tickets.panel.tickets_that_share_this_task')} className="mt-1 flex max-h-40 flex-col gap-0.5 overflow-y-auto pl-5">
        {others.map((other) => (
          <li key={other.id} className="flex min-w-0 gap-1.5">
            <Link to={`/tickets/${other.id}`} className="flex min-w-0 gap-1.5 hover:text-accent-text hover:underline">
              <span className="shrink-0 tabular">{other.ticket_number}</span>
              <span className="truncate" dir="auto">
                {other.subject}
              </span>
            </Link>
            {other.is_primary && <span className="shrink-0 text-faint">{t('tickets.panel.primary')}</span>}
          </li>
        ))}
        {more > 0 && <li>{t('tickets.panel.and_count_more', { more })}</li>}
      </ul>
      <p className="mt-1 pl-5">{is_primary ? t('tickets.panel.which_fields_sync') : t('tickets.panel.how_secondary_ticket_syncs')}</p>
    </details>
  );
}

interface SyncState {
  icon: LucideIcon;
  tone: string;
  text: ReactNode;
  /** A full sentence instead of the usual status line. */
  isNews?: boolean;
}

const fallbacks = {
  failed: t('tickets.panel.couldnt_create_task'),
  stopped: t('tickets.panel.ticket_and_task_kept_changing'),
};

/** The sync state in one line; a sentence if there is a problem. */
function syncStateOf({ state, is_pending, problem, synced_at, tool_name }: TicketTask): SyncState {
  if (state === 'gone')
    return { icon: CircleSlash, tone: 'text-muted', text: t('tickets.panel.deleted_in_tool_name', { tool_name }), isNews: true };
  if (state === 'failed') return { icon: TriangleAlert, tone: 'text-red-text', text: problem ?? fallbacks.failed, isNews: true };
  if (state === 'stopped') return { icon: CircleSlash, tone: 'text-red-text', text: problem ?? fallbacks.stopped, isNews: true };
  if (problem !== null) return { icon: TriangleAlert, tone: 'text-amber-text', text: problem, isNews: true };
  if (state === 'creating') return { icon: LoaderCircle, tone: 'text-muted', text: t('tickets.panel.creating_task') };
  if (is_pending) return { icon: LoaderCircle, tone: 'text-muted', text: t('tickets.panel.waiting_to_sync') };
  return {
    icon: CircleCheck,
    tone: 'text-muted',
    text: (
      <>
        {t('tickets.panel.in_sync')}
        {synced_at && (
          <>
            {' '}
            · <Time iso={synced_at} relative />
          </>
        )}
      </>
    ),
  };
}

interface LinkedTaskProps {
  ticket: Ticket;
  task: TicketTask;
  choices: LinkChoice[];
  mayLink: boolean;
}

function SyncState({ ticket, task, choices, mayLink }: LinkedTaskProps) {
  const [link] = useLinkTaskMutation();
  const syncNow = useSyncNow(ticket, task);
  const { icon: Icon, tone, text, isNews } = syncStateOf(task);
  const choice = choices.find(({ id }) => id === task.integration_id) ?? choices[0];
  const make = async () => {
    if (!choice) return;
    const { error } = await link({ ticket_id: ticket.id, choice });
    if (error) notify.problem(error, t('tickets.panel.failed_to_create_task'));
  };
  const way =
    task.state === 'gone'
      ? mayLink && choice && { label: t('tickets.panel.create_new_task'), do: make }
      : isNews && { label: t('tickets.panel.try_again'), do: syncNow };
  return (
    <>
      <p className={cn('flex min-w-0 items-start gap-1.5 text-xs [overflow-wrap:anywhere]', tone)}>
        <Icon
          className={cn('mt-px size-3.5 shrink-0', Icon === CircleCheck && 'text-green-text', Icon === LoaderCircle && 'animate-spin')}
          aria-hidden
        />
        <span className="min-w-0">{text}</span>
      </p>
      {way && (
        <Button size="sm" className="mt-1 self-start" onClick={() => void way.do()}>
          {way.label}
        </Button>
      )}
    </>
  );
}

function useSyncNow(ticket: Ticket, { tool_name }: TicketTask) {
  const [sync] = useSyncTaskMutation();
  return async () => {
    announce(t('tickets.panel.syncing_with_tool_name', { tool_name }));
    const { error } = await sync(ticket.id);
    if (error) notify.problem(error, t('tickets.panel.failed_to_sync_task'));
  };
}

/** The state of the task in the tool, its sync state, and the actions on it. */
export function LinkedTask(props: LinkedTaskProps) {
  const { ticket, task, mayLink } = props;
  const [isParting, setIsParting] = useState(false);
  const [unlink] = useUnlinkTaskMutation();
  const syncNow = useSyncNow(ticket, task);
  const part = async () => {
    setIsParting(false);
    const { error } = await unlink(ticket.id);
    if (error) notify.problem(error, t('tickets.panel.failed_to_unlink_task'));
    else notify.success(t('tickets.panel.task_unlinked'));
  };
  const entries: MenuEntry[] = [
    ...(task.state === 'gone' ? [] : [{ label: t('tickets.panel.sync_now'), icon: RefreshCw, onSelect: () => void syncNow() }]),
    ...(mayLink ? [{ label: t('tickets.panel.unlink'), icon: Unlink, onSelect: () => setIsParting(true) }] : []),
  ];
  return (
    <Section
      title={t('tickets.panel.task')}
      action={
        entries.length > 0 && (
          <Menu
            trigger={
              <Button size="icon-sm" variant="ghost" aria-label={t('tickets.panel.task_actions')} className="-my-1.5 -mr-1.5">
                <Ellipsis aria-hidden />
              </Button>
            }
            entries={entries}
          />
        )
      }
    >
      <div className="flex flex-col gap-1.5">
        <Title task={task} />
        <Place task={task} />
        {task.state !== 'creating' && task.state !== 'failed' && <Assignees names={task.assignees} />}
        <Sharing task={task} />
        <SyncState {...props} />
      </div>
      <ConfirmDialog
        open={isParting}
        onOpenChange={setIsParting}
        title={t('tickets.panel.confirm_unlink_task')}
        description={t('tickets.panel.what_unlinking_does')}
        action={t('tickets.panel.unlink_task')}
        onConfirm={() => void part()}
      />
    </Section>
  );
}
