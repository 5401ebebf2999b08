import type { Assignee, Ticket } from '@tandem/contracts';
import type { TicketPriority, TicketStatus } from '@tandem/contracts/values';
import { UserRound, UserRoundCheck } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import { useListMembersQuery, useSession } from '../../../app/api';
import { formatDay } from '../../../lib/dates';
import { useHotkeys } from '../../../lib/keyboard';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { priorityOptions, statusOptions } from '../../../lib/ticket-badges';
import { Avatar } from '../../../ui/Avatar';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Select, type SelectOption } from '../../../ui/Select';
import { useOpenTicket, useTicketPart } from '../open-ticket';
import { Changes } from './Changes';
import { CustomerTickets } from './CustomerTickets';
import { FoldedSection } from './FoldedSection';
import { Mails } from './Mails';
import { LanguageBadge, Origin } from './Origin';
import { Section } from './Section';
import { SurveyAnswer } from './SurveyAnswer';
import { TagRow } from './TagRow';
import { TaskSection } from './TaskSection';
import { TaskSkeleton } from './TaskSkeleton';
import { DeliveriesLink, Timeline } from './Timeline';
import { Watchers } from './Watchers';
import { useTicketChange } from '../use-ticket-change';

const TicketFields = lazy(() => import('./TicketFields').then((module) => ({ default: module.TicketFields })));
const SlaClocks = lazy(() => import('./SlaClocks').then((module) => ({ default: module.SlaClocks })));

const unassignedValue = 'unassigned';

/** The active members, and the current assignee even if no longer active. */
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
    { value: unassignedValue, label: t('tickets.panel.unassigned'), mark: unassigned },
    ...people.map((person) => ({ value: person.user_id, label: nameOf(person), mark: <Avatar name={nameOf(person)} size="xs" /> })),
  ];
  return { people, options };
}

type Field = 'status' | 'priority' | 'assignee';

function Properties({ ticket }: { ticket: Ticket }) {
  const [open, setOpen] = useState<Field>();
  const { profile } = useSession();
  const { setStatus, setPriority, assign } = useTicketChange(ticket.id);
  const { people, options } = useAssignees(ticket);
  const isMine = ticket.assigned_to === profile.user_id;
  const take = () => void assign(profile);
  useHotkeys({
    s: () => setOpen('status'),
    p: () => setOpen('priority'),
    a: () => setOpen('assignee'),
    i: isMine ? undefined : take,
  });
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
  const assignTo = (id: string) => void assign(people.find(({ user_id }) => user_id === id) ?? null);
  return (
    <section aria-label={t('tickets.panel.properties')} className="flex flex-col gap-0.5 border-b py-2.5 pr-2 pl-4">
      {select('status', t('tickets.panel.status'), ticket.status, statusOptions, (value) => void setStatus(value as TicketStatus))}
      {select(
        'priority',
        t('tickets.panel.priority'),
        ticket.priority,
        priorityOptions,
        (value) => void setPriority(value as TicketPriority),
      )}
      <div className="flex items-center">
        <div className="min-w-0 flex-1">
          {select('assignee', t('tickets.panel.assignee'), ticket.assigned_to ?? unassignedValue, options, assignTo)}
        </div>
        {!isMine && (
          // An icon only: a label would leave no space for the assignee's name.
          <Button
            size="icon-sm"
            variant="ghost"
            aria-label={t('tickets.panel.assign_to_me')}
            title={t('tickets.panel.assign_to_me_i')}
            onClick={take}
          >
            <UserRoundCheck aria-hidden />
          </Button>
        )}
      </div>
      <TagRow ticket={ticket} />
    </section>
  );
}

/** Hosts of addresses that say nothing about where a customer works. */
const freeMail =
  /^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|aol|gmx|web|mail|proton|protonmail|zoho|yandex|qq|163|t-online|orange|free|laposte|libero|seznam)\.[a-z.]+$/;

/** The customer's company as the host of their address; undefined for addresses of public mail services. */
export function companyOf(email: string): string | undefined {
  const host = email.slice(email.lastIndexOf('@') + 1);
  return host === '' || freeMail.test(host) ? undefined : host;
}

function Customer({ ticket }: { ticket: Ticket }) {
  const { isLoaded } = useOpenTicket();
  const isAdmin = useSession().profile.role === 'admin';
  const company = companyOf(ticket.customer_email);
  return (
    <Section title={t('tickets.panel.customer')}>
      <div className="flex items-center gap-2.5">
        <Avatar name={ticket.customer_name ?? ticket.customer_email} size="md" />
        <div className="min-w-0">
          {ticket.customer_name && (
            <p className="flex min-w-0 items-baseline gap-1.5">
              <span className="truncate font-medium" dir="auto">
                {ticket.customer_name}
              </span>
              {company && (
                <span
                  className="shrink-[2] truncate text-xs text-muted"
                  title={t('tickets.panel.company_from_email_address_company', { company })}
                >
                  {company}
                </span>
              )}
            </p>
          )}
          <a
            href={`mailto:${ticket.customer_email}`}
            className="block truncate text-muted hover:text-accent-text hover:underline"
            title={ticket.customer_email}
          >
            {ticket.customer_email}
          </a>
        </div>
      </div>
      {isLoaded && (
        <>
          {ticket.language && (
            <p className="mt-2">
              <LanguageBadge ticket={ticket} />
            </p>
          )}
          <CustomerTickets ticket={ticket} />
          {isAdmin && (
            // The address is in the state, so that it is in no URL.
            <Link
              to="/settings?tab=privacy"
              state={{ customer: ticket.customer_email }}
              className="mt-1 block w-fit text-xs text-muted hover:text-red-text hover:underline"
            >
              {t('tickets.panel.erase_customer')}
            </Link>
          )}
        </>
      )}
    </Section>
  );
}

const slaPlaceholder = <div className="h-24 border-b" />;

/**
 * Everything about a ticket except its conversation. Its parts render after the page has loaded, because before that each would send a
 * request. All of them are in one chunk: parts that arrive later would move those below them.
 */
export function TicketPanel({ ticket }: { ticket: Ticket }) {
  const { isLoaded } = useOpenTicket();
  const timeline = useTicketPart('timeline');
  return (
    <>
      {!ticket.anonymized_at && <Customer ticket={ticket} />}
      <Properties ticket={ticket} />
      <Suspense>
        <TicketFields ticket={ticket} />
      </Suspense>
      {ticket.anonymized_at ? null : isLoaded ? <TaskSection ticket={ticket} /> : <TaskSkeleton ticket={ticket} />}
      {(ticket.response_due_at ?? ticket.resolution_due_at) && (
        <Suspense fallback={slaPlaceholder}>{isLoaded ? <SlaClocks ticketId={ticket.id} /> : slaPlaceholder}</Suspense>
      )}
      {isLoaded && (
        <>
          <SurveyAnswer ticket={ticket} />
          <Mails ticket={ticket} />
          <Watchers ticket={ticket} />
        </>
      )}
      {(ticket.category || ticket.channel) && (
        <FoldedSection title={t('tickets.panel.details')} summary={ticket.category && <span className="truncate">{ticket.category}</span>}>
          <div className="flex flex-wrap items-center gap-1.5">
            {ticket.category && <Badge>{ticket.category}</Badge>}
            <Origin ticket={ticket} />
          </div>
        </FoldedSection>
      )}
      <FoldedSection
        title={t('tickets.panel.timeline')}
        isUrgent={timeline.isMissing}
        summary={
          ticket.resolved_at && <span className="truncate">{t('tickets.panel.resolved_day', { day: formatDay(ticket.resolved_at) })}</span>
        }
      >
        <Timeline ticket={ticket} />
        <Changes ticket={ticket} />
        <DeliveriesLink ticket={ticket} />
      </FoldedSection>
    </>
  );
}
