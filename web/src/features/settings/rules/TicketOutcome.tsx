import type { RuleRun } from '@tandem/contracts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Outcome } from './Outcome';
import type { RuleNames } from './rule-labels';

interface TicketOutcomeProps {
  ticket: RuleRun['ticket'];
  outcome: Pick<RuleRun, 'changes' | 'effects' | 'problem'>;
  names: RuleNames;
  tense: 'done' | 'planned';
  /** At the end of the line: the cause and the time. */
  children?: ReactNode;
}

/** A ticket, with what a rule did to it. */
export const TicketOutcome = ({ ticket, outcome, names, tense, children }: TicketOutcomeProps) => (
  <li className="flex flex-col gap-1.5 px-4 py-2.5">
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
      <Link to={`/tickets/${ticket.id}`} className="flex max-w-full min-w-0 flex-1 basis-48 items-baseline gap-2 hover:underline">
        <span className="shrink-0 text-xs text-muted tabular">{ticket.ticket_number}</span>
        <span className="truncate font-medium" dir="auto">
          {ticket.subject}
        </span>
      </Link>
      {children && <span className="flex shrink-0 gap-1.5 text-xs text-muted">{children}</span>}
    </div>
    <Outcome outcome={outcome} names={names} tense={tense} />
  </li>
);
