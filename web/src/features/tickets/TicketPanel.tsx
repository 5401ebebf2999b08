import type { Assignee, Ticket } from '@tandem/contracts';
import type { TicketPriority, TicketStatus } from '@tandem/contracts/values';
import { Link2, UserRound } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useListMembersQuery } from '../../app/api';
import { useHotkeys } from '../../lib/keyboard';
import { nameOf } from '../../lib/names';
import { priorityOptions, statusOptions } from '../../lib/ticket-badges';
import { Avatar } from '../../ui/Avatar';
import { Badge } from '../../ui/Badge';
import { Select, type SelectOption } from '../../ui/Select';
import { Time } from '../../ui/Time';
import { useTicketChange } from './use-ticket-change';

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-b px-4 py-3 last:border-b-0" aria-label={title}>
      <h3 className="mb-1.5 text-xs font-medium text-muted">{title}</h3>
      {children}
    </section>
  );
}

const nobody = 'unassigned';

/** The members who may be assigned, and whoever is assigned now, even when no longer active. */
function useAssignees(ticket: Ticket): { people: Assignee[]; options: SelectOption[] } {
  const { data: members = [] } = useListMembersQuery();
  const active = members.filter((member) => member.is_active || member.user_id === ticket.assigned_to);
  const people: Assignee[] =
    ticket.assignee && !active.some(({ user_id }) => user_id === ticket.assigned_to) ? [ticket.assignee, ...active] : active;
  const unassigned = (
    <span className="grid size-5 place-items-center rounded-full border border-dashed border-line-strong text-muted">
      <UserRound className="size-3" aria-hidden />
    </span>
  );
  const options = [
    { value: nobody, label: 'Unassigned', mark: unassigned },
    ...people.map((person) => ({ value: person.user_id, label: nameOf(person), mark: <Avatar name={nameOf(person)} size="xs" /> })),
  ];
  return { people, options };
}

type Field = 'status' | 'priority' | 'assignee';

function Properties({ ticket }: { ticket: Ticket }) {
  const [open, setOpen] = useState<Field>();
  const { setStatus, setPriority, assign } = useTicketChange(ticket.id);
  const { people, options } = useAssignees(ticket);
  useHotkeys({ s: () => setOpen('status'), p: () => setOpen('priority'), a: () => setOpen('assignee') });
  const select = (field: Field, label: string, value: string, choices: readonly SelectOption[], onChange: (value: string) => void) => (
    <div className="grid grid-cols-[4.25rem_minmax(0,1fr)] items-center">
      <span className="text-xs text-muted" aria-hidden>
        {label}
      </span>
      <Select
        look="quiet"
        label={label}
        value={value}
        options={choices}
        open={open === field}
        onOpenChange={(isOpen) => setOpen(isOpen ? field : undefined)}
        onChange={(next) => next !== value && onChange(next)}
      />
    </div>
  );
  return (
    <section aria-label="Properties" className="flex flex-col gap-0.5 border-b py-2.5 pr-2 pl-4">
      {select('status', 'Status', ticket.status, statusOptions, (value) => void setStatus(value as TicketStatus))}
      {select('priority', 'Priority', ticket.priority, priorityOptions, (value) => void setPriority(value as TicketPriority))}
      {select(
        'assignee',
        'Assignee',
        ticket.assigned_to ?? nobody,
        options,
        (value) => void assign(people.find(({ user_id }) => user_id === value) ?? null),
      )}
    </section>
  );
}

function Customer({ ticket }: { ticket: Ticket }) {
  return (
    <Section title="Customer">
      <div className="flex items-center gap-2.5">
        <Avatar name={ticket.customer_name ?? ticket.customer_email} size="md" />
        <div className="min-w-0">
          {ticket.customer_name && <p className="truncate font-medium">{ticket.customer_name}</p>}
          <a
            href={`mailto:${ticket.customer_email}`}
            className="block truncate text-muted hover:text-accent-text hover:underline"
            title={ticket.customer_email}
          >
            {ticket.customer_email}
          </a>
        </div>
      </div>
      <Link
        to={`/tickets?search=${encodeURIComponent(ticket.customer_email)}`}
        className="mt-2 inline-block text-xs text-accent-text hover:underline"
      >
        All tickets of this customer
      </Link>
    </Section>
  );
}

function Timeline({ ticket }: { ticket: Ticket }) {
  const moments: [string, string | null][] = [
    ['Created', ticket.created_at],
    ['Updated', ticket.updated_at],
    ['Resolved', ticket.resolved_at],
  ];
  return (
    <Section title="Timeline">
      <ol className="relative flex flex-col gap-2.5 pt-0.5 before:absolute before:top-2 before:bottom-2 before:left-[3px] before:w-px before:bg-line-strong">
        {moments.map(
          ([name, at]) =>
            at && (
              <li key={name} className="relative flex items-baseline justify-between gap-3 pl-5">
                <span
                  aria-hidden
                  className={`absolute top-1.5 left-0 size-[7px] rounded-full ring-3 ring-surface ${name === 'Resolved' ? 'bg-green-solid' : 'bg-control'}`}
                />
                <span>{name}</span>
                <Time iso={at} className="text-xs text-muted" />
              </li>
            ),
        )}
      </ol>
    </Section>
  );
}

/** Everything about a ticket but its conversation. */
export function TicketPanel({ ticket }: { ticket: Ticket }) {
  return (
    <>
      <Properties ticket={ticket} />
      <Customer ticket={ticket} />
      {(ticket.category || ticket.tags.length > 0 || ticket.clickup_task_id) && (
        <Section title="Details">
          <div className="flex flex-wrap items-center gap-1.5">
            {ticket.clickup_task_id && (
              <Badge tone="accent">
                <Link2 aria-hidden />
                Linked to a task
              </Badge>
            )}
            {ticket.category && <Badge>{ticket.category}</Badge>}
            {ticket.tags.map((tag) => (
              <Badge key={tag} tone="plain" className="overflow-hidden">
                {tag}
              </Badge>
            ))}
          </div>
        </Section>
      )}
      <Timeline ticket={ticket} />
    </>
  );
}
