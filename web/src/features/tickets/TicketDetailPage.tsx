import type { Ticket } from '@tandem/contracts';
import { ArrowLeft, ChevronDown, CircleCheck, Pencil, RotateCcw, TicketX, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { announce } from '../../lib/announce';
import { useHotkeys } from '../../lib/keyboard';
import { useMedia } from '../../lib/media';
import { notify } from '../../lib/notify';
import { isProblem } from '../../lib/problem';
import { PriorityBadge, StatusBadge } from '../../lib/ticket-badges';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader, useDocumentTitle } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { CommentThread } from './CommentThread';
import { Composer } from './Composer';
import { TicketPanel } from './TicketPanel';
import { useTicketPlace } from './TicketsPage';
import { useReadTicketQuery } from './tickets.api';
import { useTicketChange } from './use-ticket-change';

/** The list as it was left: its filters travel in the ticket's address. */
function useWayBack() {
  const [params] = useSearchParams();
  const search = params.toString();
  return search ? `/tickets?${search}` : '/tickets';
}

function DetailSkeleton() {
  return (
    <div aria-busy className="flex min-w-0 flex-1">
      <div className="flex-1 p-6 max-md:p-4">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="mt-3 h-5 w-40" />
        <div className="mt-7 flex gap-3">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-28 flex-1 rounded-lg" />
        </div>
      </div>
      <div className="w-74 border-l p-4 max-lg:hidden">
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="mb-4 h-5" />
        ))}
      </div>
      <span className="sr-only" role="status">
        Loading the ticket
      </span>
    </div>
  );
}

function TicketNotFound() {
  const back = useWayBack();
  const { beside } = useTicketPlace();
  return (
    <div className="m-auto">
      {!beside && <PageHeader title="Ticket Not Found" />}
      <EmptyState
        icon={TicketX}
        title="Ticket Not Found"
        action={
          <Button asChild>
            <Link to={back}>Back to Tickets</Link>
          </Button>
        }
      >
        It may belong to another organization, or the address is mistyped.
      </EmptyState>
    </div>
  );
}

function Actions({ ticket }: { ticket: Ticket }) {
  const { setStatus } = useTicketChange(ticket.id);
  const resolved = ticket.status === 'resolved';
  const roomy = useMedia('(min-width: 768px)');
  const toggle = () => void setStatus(resolved ? 'open' : 'resolved');
  useHotkeys({ e: () => !resolved && void setStatus('resolved') });
  return (
    <>
      <Button asChild size={roomy ? 'sm' : 'icon'} variant="ghost">
        <Link to={`/tickets/${ticket.id}/edit`} aria-label="Edit">
          <Pencil aria-hidden />
          {roomy && 'Edit'}
        </Link>
      </Button>
      <Button size={roomy ? 'sm' : 'icon'} onClick={toggle} title={resolved ? 'Reopen Ticket' : 'Mark as Resolved (e)'}>
        {resolved ? <RotateCcw aria-hidden /> : <CircleCheck aria-hidden />}
        <span className={roomy ? undefined : 'sr-only'}>{resolved ? 'Reopen' : 'Resolve'}</span>
      </Button>
    </>
  );
}

function Header({ ticket }: { ticket: Ticket }) {
  const { beside } = useTicketPlace();
  const back = useWayBack();
  const title = `${ticket.ticket_number} ${ticket.subject}`;
  useDocumentTitle(beside ? title : null);
  useEffect(() => {
    if (beside) announce(`Opened ${ticket.ticket_number}, ${ticket.subject}`);
    // Once per ticket, not once per change of its subject.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [beside, ticket.id]);
  if (!beside) {
    return (
      <PageHeader
        title={ticket.ticket_number}
        documentTitle={title}
        before={
          <Button asChild variant="ghost" size="icon" className="-ml-2">
            <Link to={back} aria-label="Back to Tickets">
              <ArrowLeft aria-hidden />
            </Link>
          </Button>
        }
        actions={<Actions ticket={ticket} />}
      />
    );
  }
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b px-4">
      <span className="tabular text-muted">{ticket.ticket_number}</span>
      <div className="ml-auto flex items-center gap-1.5">
        <Actions ticket={ticket} />
        <Button asChild variant="ghost" size="icon-sm">
          <Link to={back} aria-label="Close ticket">
            <X aria-hidden />
          </Link>
        </Button>
      </div>
    </header>
  );
}

function TicketView({ ticket }: { ticket: Ticket }) {
  const roomy = useMedia('(min-width: 1024px)');
  const end = useRef<HTMLDivElement>(null);
  return (
    <article aria-label={`Ticket ${ticket.ticket_number}`} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Header ticket={ticket} />
      <div className="flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-5 pb-6 max-md:px-3 max-md:pt-4" tabIndex={-1}>
            <div className="mx-auto max-w-3xl">
              <h2 className="text-lg leading-snug font-semibold [overflow-wrap:anywhere]">{ticket.subject}</h2>
              <div className="mt-2 mb-6 flex flex-wrap items-center gap-1.5">
                <StatusBadge status={ticket.status} />
                <PriorityBadge priority={ticket.priority} />
              </div>
              {!roomy && (
                <details className="group mb-5 rounded-lg border bg-surface">
                  <summary className="flex h-10 cursor-pointer list-none items-center gap-2 px-4 font-medium">
                    Details
                    <ChevronDown className="ml-auto size-4 text-muted transition-transform group-open:rotate-180" aria-hidden />
                  </summary>
                  <div className="border-t">
                    <TicketPanel ticket={ticket} />
                  </div>
                </details>
              )}
              <CommentThread ticket={ticket} />
              <div ref={end} />
            </div>
          </div>
          <div className="shrink-0 border-t">
            <div className="mx-auto max-w-[53rem] px-2 max-md:px-0">
              <Composer
                key={ticket.id}
                ticket={ticket}
                onSent={() => setTimeout(() => end.current?.scrollIntoView({ behavior: 'smooth', block: 'end' }), 60)}
              />
            </div>
          </div>
        </div>
        {roomy && (
          <aside aria-label="Ticket details" className="w-74 shrink-0 overflow-y-auto border-l">
            <TicketPanel ticket={ticket} />
          </aside>
        )}
      </div>
    </article>
  );
}

/** No such ticket for this organization: unknown, somebody else's, or not an id at all. */
const isMissing = (error: unknown) => isProblem(error) && [400, 404, 422].includes(error.status);

export function TicketDetailPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const back = useWayBack();
  const { currentData: ticket, error } = useReadTicketQuery(id);
  const lost = error !== undefined && !ticket && !isMissing(error);
  useEffect(() => {
    if (!lost) return;
    notify.error('Failed to load ticket');
    void navigate(back, { replace: true });
  }, [lost, back, navigate]);
  if (ticket && !isMissing(error)) return <TicketView key={ticket.id} ticket={ticket} />;
  return isMissing(error) ? <TicketNotFound /> : <DetailSkeleton />;
}
