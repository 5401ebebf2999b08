/** @jsxImportSource preact */
import type { PublicTicket } from '@tandem/contracts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CustomFieldValues } from '@tandem/contracts/values';
import type { Calls, WidgetConfig } from './calls';
import { ConversationView } from './ConversationView';
import type { FormFields } from './CustomFields';
import type { HostPage, TextPrefill } from './host';
import type { Identity } from './identity';
import type { KnownTicket, WidgetStorage } from './storage';
import type { Parameters } from './parameters';
import { Failed, Note } from './components';
import { TicketForm } from './TicketForm';
import { useTexts } from './texts';
import { useHelp } from './use-help';
import { useOnline } from './use-online';
import { useTickets } from './use-tickets';

interface ViewsProps {
  parameters: Parameters;
  config: WidgetConfig;
  calls: Calls;
  stored: WidgetStorage;
  host: HostPage;
  isOpen: boolean;
  identity: Identity | undefined;
  prefill: TextPrefill;
  siteFields: CustomFieldValues;
  formFields: FormFields;
  /** Sets the action of the header's Back button; undefined hides the button. */
  onBack: (go: (() => void) | undefined) => void;
  /** Called when the view changes. */
  onView: () => void;
}
type View =
  | { name: 'form' | 'tickets' }
  | { name: 'solved' }
  | { name: 'article'; number: number }
  | { name: 'ticket'; id: string; isNew: boolean };
const form: View = { name: 'form' };

/** Switches between the form, the list of this browser's tickets, and one ticket. */
export function Views(props: ViewsProps) {
  const t = useTexts();
  const { config, calls, stored, host, isOpen, identity, onBack, onView } = props;
  const [view, setView] = useState<View>(form);
  const shown = view.name === 'ticket' ? view.id : undefined;
  const tickets = useTickets({ calls, stored, host, isOpen, email: identity?.email, shown });
  const online = useOnline();
  const countOpened = useOpenedCount(calls);
  const go = (to: View) => {
    setView(to);
    onView();
  };
  const { news } = tickets;
  useEffect(() => {
    if (isOpen && news) setView({ name: 'ticket', id: news, isNew: false });
    // Only when the widget opens: a new reply must not interrupt a visitor who is writing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOpen]);
  useEffect(() => {
    onBack(view.name === 'form' ? undefined : () => go(form));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `go` is a new function on every render, but always does the same.
  }, [view.name]);
  const onSubmitted = (ticket: PublicTicket) => {
    tickets.add(ticket);
    host.send({ type: 'submitted', ticket_number: ticket.ticket_number });
    go({ name: 'ticket', id: ticket.id, isNew: true });
  };
  const onArticle = (number: number) => {
    countOpened(number);
    go({ name: 'article', number });
  };
  const open = (id: string) => go({ name: 'ticket', id, isNew: false });
  return (
    <>
      {!online && <Note tone="plain">{t('frame.offline')}</Note>}
      {view.name === 'form' && (
        <>
          {config.identity_required && !identity ? (
            <Note tone="plain">{t('frame.identity_required')}</Note>
          ) : (
            <TicketForm {...props} onSubmitted={onSubmitted} onArticle={onArticle} />
          )}
          {tickets.known.length > 0 && (
            <button type="button" class="link" onClick={() => go({ name: 'tickets' })}>
              {t('tickets.open', { count: tickets.known.length })}
            </button>
          )}
        </>
      )}
      {(view.name === 'article' || view.name === 'solved') && <HelpView view={view} calls={calls} stored={stored} go={go} />}
      {view.name === 'tickets' && <TicketList tickets={tickets.known} onOpen={open} />}
      {view.name === 'ticket' && (
        <OneTicket view={view} tickets={tickets} config={config} calls={calls} stored={stored} open={open} onNewTicket={() => go(form)} />
      )}
    </>
  );
}

/** Counts each suggested article once, when the visitor opens it. */
function useOpenedCount(calls: Calls): (number: number) => void {
  const counted = useRef(new Set<number>());
  return (number) => {
    if (counted.current.has(number)) return;
    counted.current.add(number);
    calls.recordUse({ type: 'suggestion_opened', number });
  };
}

interface HelpViewProps {
  view: View & { name: 'article' | 'solved' };
  calls: Calls;
  stored: WidgetStorage;
  go: (to: View) => void;
}
/** An article that a visitor has opened instead of sending the form. */
function HelpView({ view, calls, stored, go }: HelpViewProps) {
  const help = useHelp(true);
  if (!help) return null;
  if (view.name === 'solved') return <help.Solved onBack={() => go(form)} />;
  const { number } = view;
  const onSolved = () => {
    calls.recordUse({ type: 'solved', number });
    stored.saveDraft('new', {});
    go({ name: 'solved' });
  };
  return <help.ArticleView number={number} calls={calls} onSolved={onSolved} onContinue={() => go(form)} />;
}

function TicketList({ tickets, onOpen }: { tickets: KnownTicket[]; onOpen: (id: string) => void }) {
  const t = useTexts();
  return (
    <>
      <h2>{t('tickets.title')}</h2>
      <ul class="tickets">
        {tickets.map(({ id, ticket_number, subject }) => (
          <li key={id}>
            <button type="button" onClick={() => onOpen(id)}>
              <span dir="auto">{subject}</span>
              <span class="faint">{ticket_number}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface OneTicketProps {
  view: View & { name: 'ticket' };
  tickets: ReturnType<typeof useTickets>;
  config: WidgetConfig;
  calls: Calls;
  stored: WidgetStorage;
  open: (id: string) => void;
  onNewTicket: () => void;
}
function OneTicket({ view, tickets, config, calls, stored, open, onNewTicket }: OneTicketProps) {
  const t = useTexts();
  const { ticket, problem } = tickets.conversation;
  if (!ticket && problem) return <Failed title={problem.title} problem={problem} onRetry={tickets.refresh} />;
  if (!ticket) return <p aria-busy="true">{t('frame.loading')}</p>;
  const follow = (other: { id: string; ticket_number: string }) => {
    tickets.save({ ...other, subject: ticket.subject, email: ticket.customer_email });
    open(other.id);
  };
  const page = config.portal_url.replace(/\/$/, '');
  const onSent = (newTicket: { id: string; ticket_number: string } | null) => (newTicket ? follow(newTicket) : tickets.refresh());
  return (
    <ConversationView
      ticket={ticket}
      page={page}
      calls={calls}
      stored={stored}
      onSent={onSent}
      onNewTicket={onNewTicket}
      isNew={view.isNew}
      onOther={follow}
    />
  );
}
