import { ArrowLeft, Link2, Lightbulb } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { notify } from '../../../lib/notify';
import { removeSampleTicket } from '../../../lib/sample-ticket';
import { PriorityMark, StatusMark } from '../../../lib/ticket-badges';
import { Avatar } from '../../../ui/Avatar';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { PageHeader } from '../../../ui/PageHeader';
import { Message } from '../conversation/Message';
import { Section } from '../panel/Section';

/** Explains a part of the ticket. */
const Tip = ({ children }: { children: ReactNode }) => (
  <p className="flex gap-2 rounded-md border border-dashed border-line-strong p-2.5 text-xs text-pretty text-muted">
    <Lightbulb className="mt-px size-3.5 shrink-0 text-accent-text" aria-hidden />
    <span>{children}</span>
  </p>
);

const EventLine = ({ children }: { children: ReactNode }) => <li className="pl-11 text-xs text-muted max-md:pl-8">{children}</li>;
const TipLine = ({ children }: { children: ReactNode }) => (
  <li className="pl-11 max-md:pl-8">
    <Tip>{children}</Tip>
  </li>
);

const minute = 60_000;

function Conversation() {
  const [now] = useState(Date.now);
  const ago = (minutes: number) => new Date(now - minutes * minute).toISOString();
  return (
    <ol className="flex flex-col gap-4" aria-label="Conversation">
      <Message kind="customer" author="Jonas Weber" at={ago(95)} via="via email">
        <p>Hi, my order arrived today, but all twelve bags are ground for filter. I ordered whole beans.</p>
        <p className="mt-2">Could you send replacements before Friday?</p>
      </Message>
      <TipLine>
        Customers write by email, on your portal or in the widget. Each request becomes a ticket. Customers never need an account.
      </TipLine>
      <EventLine>Priya Raman took this ticket</EventLine>
      <Message kind="internal" author="Priya Raman" at={ago(60)}>
        <p>The grinder setting was wrong for the whole batch. @Marek, can you check the other orders?</p>
      </Message>
      <TipLine>
        Only your team sees internal notes. They’re never sent to the customer or to the task tool. Press n to write one, and use @ to
        mention a teammate.
      </TipLine>
      <EventLine>Created a task in “Roastery”</EventLine>
      <Message kind="staff" author="Priya Raman" at={ago(40)}>
        <p>Sorry about that, Jonas. Twelve bags of whole beans leave our roastery tomorrow morning.</p>
      </Message>
      <TipLine>
        Public replies go to the customer by email, in your branding. Press r to reply. You can undo sending for 10 seconds.
      </TipLine>
      <EventLine>Marek Lindqvist set the status to Waiting for Customer</EventLine>
    </ol>
  );
}

function Panel() {
  return (
    <aside aria-label="Details" className="shrink-0 border-l max-lg:border-t max-lg:border-l-0 lg:w-80 lg:overflow-y-auto">
      <Section title="Customer">
        <p className="font-medium">Jonas Weber</p>
        <p className="text-muted">jonas@example.com</p>
      </Section>
      <Section title="Status, priority and assignee">
        <ul className="flex flex-col gap-2">
          <li className="flex items-center gap-2">
            <StatusMark status="waiting_for_customer" />
            Waiting for Customer
          </li>
          <li className="flex items-center gap-2">
            <PriorityMark priority="high" />
            High
          </li>
          <li className="flex items-center gap-2">
            <Avatar name="Priya Raman" size="xs" />
            Priya Raman
          </li>
        </ul>
        <div className="mt-3">
          <Tip>Press s, p or a to change them, and e to resolve. Each change can be undone with z.</Tip>
        </div>
      </Section>
      <Section title="SLA">
        <p>First response: met</p>
        <p className="text-muted">Resolution: paused, waiting for the customer</p>
        <div className="mt-3">
          <Tip>Timers follow your business hours and SLA policies. They pause while you wait for the customer.</Tip>
        </div>
      </Section>
      <Section title="Task">
        <p className="flex items-center gap-2">
          <Link2 className="size-3.5 text-muted" aria-hidden />
          Replace order with whole beans
        </p>
        <p className="mt-1 flex items-center gap-2 text-muted">In progress · Marek Lindqvist</p>
        <div className="mt-3">
          <Tip>Connect a task tool to keep a ticket and its task in sync: status, priority, assignee and public comments.</Tip>
        </div>
      </Section>
    </aside>
  );
}

/** A ticket that explains the app. It exists only in this page: it is not stored, listed, counted or sent. */
export function SampleTicketPage() {
  const navigate = useNavigate();
  const remove = () => {
    removeSampleTicket();
    notify.success('Sample ticket removed');
    void navigate('/tickets', { replace: true });
  };
  return (
    <>
      <PageHeader
        title="Sample ticket"
        before={
          <Button asChild variant="ghost" size="icon">
            <Link to="/tickets" aria-label="Back to tickets">
              <ArrowLeft aria-hidden />
            </Link>
          </Button>
        }
        actions={
          <Button onClick={remove} aria-label="Remove sample">
            Remove<span className="max-sm:hidden"> sample</span>
          </Button>
        }
      />
      <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
        <div className="min-w-0 flex-1 p-6 max-md:p-4 lg:overflow-y-auto">
          <div className="mx-auto flex max-w-3xl flex-col gap-5">
            <div>
              <h2 className="text-lg font-semibold tracking-tight">Order arrived with the wrong grind</h2>
              <p className="mt-1 flex items-center gap-2 text-xs text-muted">
                <Badge tone="accent">Sample</Badge>
                Only you can see it, and it isn’t counted in reports.
              </p>
            </div>
            <Conversation />
            <div>
              <Button asChild variant="primary">
                <Link to="/tickets/new">Create Your First Ticket</Link>
              </Button>
            </div>
          </div>
        </div>
        <Panel />
      </div>
    </>
  );
}
