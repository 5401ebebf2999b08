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
import { Avatar } from '../../../ui/Avatar';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { Menu, type MenuEntry } from '../../../ui/Menu';
import { Time } from '../../../ui/Time';
import { categoryDots } from './linked-task-labels';
import { Section } from './Section';
import { useLinkTaskMutation, useSyncTaskMutation, useUnlinkTaskMutation, type LinkChoice } from './task.api';

function Title({ task }: { task: TicketTask }) {
  const title = task.title ?? task.task_id ?? 'New task';
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
      <span className="sr-only">Opens {task.tool_name} in a new tab</span>
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
      <span className="truncate">{first === undefined ? 'Unassigned' : names.join(', ')}</span>
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
        {customers === 1 ? '1 customer' : `${customers} customers`} · {tickets} tickets
        <ChevronDown className="size-3 transition-transform group-open/sharing:rotate-180" aria-hidden />
      </summary>
      <ul aria-label="Tickets that share this task" className="mt-1 flex max-h-40 flex-col gap-0.5 overflow-y-auto pl-5">
        {others.map((other) => (
          <li key={other.id} className="flex min-w-0 gap-1.5">
            <Link to={`/tickets/${other.id}`} className="flex min-w-0 gap-1.5 hover:text-accent-text hover:underline">
              <span className="shrink-0 tabular">{other.ticket_number}</span>
              <span className="truncate" dir="auto">
                {other.subject}
              </span>
            </Link>
            {other.is_primary && <span className="shrink-0 text-faint">· primary</span>}
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
      <p className="mt-1 pl-5">
        {is_primary
          ? 'The task’s title, priority and other fields sync with this ticket.'
          : 'Status and comments sync to this ticket. The other fields sync with the primary ticket.'}
      </p>
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
  failed: 'Couldn’t create the task.',
  stopped: 'The ticket and the task kept changing each other, so sync was stopped.',
};

/** The sync state in one line; a sentence if there is a problem. */
function syncStateOf({ state, is_pending, problem, synced_at, tool_name }: TicketTask): SyncState {
  if (state === 'gone') return { icon: CircleSlash, tone: 'text-muted', text: `Deleted in ${tool_name}`, isNews: true };
  if (state === 'failed') return { icon: TriangleAlert, tone: 'text-red-text', text: problem ?? fallbacks.failed, isNews: true };
  if (state === 'stopped') return { icon: CircleSlash, tone: 'text-red-text', text: problem ?? fallbacks.stopped, isNews: true };
  if (problem !== null) return { icon: TriangleAlert, tone: 'text-amber-text', text: problem, isNews: true };
  if (state === 'creating') return { icon: LoaderCircle, tone: 'text-muted', text: 'Creating task…' };
  if (is_pending) return { icon: LoaderCircle, tone: 'text-muted', text: 'Waiting to sync…' };
  return {
    icon: CircleCheck,
    tone: 'text-muted',
    text: (
      <>
        In sync
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
    if (error) notify.problem(error, 'Failed to create the task');
  };
  const way =
    task.state === 'gone' ? mayLink && choice && { label: 'Create a new task', do: make } : isNews && { label: 'Try again', do: syncNow };
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
    announce(`Syncing with ${tool_name}`);
    const { error } = await sync(ticket.id);
    if (error) notify.problem(error, 'Failed to sync the task');
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
    if (error) notify.problem(error, 'Failed to unlink the task');
    else notify.success('Task unlinked');
  };
  const entries: MenuEntry[] = [
    ...(task.state === 'gone' ? [] : [{ label: 'Sync now', icon: RefreshCw, onSelect: () => void syncNow() }]),
    ...(mayLink ? [{ label: 'Unlink', icon: Unlink, onSelect: () => setIsParting(true) }] : []),
  ];
  return (
    <Section
      title="Task"
      action={
        entries.length > 0 && (
          <Menu
            trigger={
              <Button size="icon-sm" variant="ghost" aria-label="Task actions" className="-my-1.5 -mr-1.5">
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
        title="Unlink the task?"
        description="They’ll stop syncing, and no new task will be created."
        action="Unlink Task"
        onConfirm={() => void part()}
      />
    </Section>
  );
}
