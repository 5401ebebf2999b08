import type { Ticket } from '@tandem/contracts';
import { ChevronDown } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { useMarkTicketRead } from '../../../app/notifications';
import type { PresenceState } from '../../../app/presence';
import { cn } from '../../../lib/cn';
import { EarlyKeys } from '../../../lib/early-keys';
import { useMedia } from '../../../lib/media';
import { notify } from '../../../lib/notify';
import { isProblem } from '../../../lib/problem';
import { rememberTicket } from '../../../lib/recent-tickets';
import { t } from '../../../lib/staff-texts';
import { PriorityBadge, StatusBadge } from '../../../lib/ticket-badges';
import { CommentThread } from '../conversation/CommentThread';
import { useScrollToEnd } from '../conversation/use-conversation';
import { OpenTicketContext, useOpenTicket } from '../open-ticket';
import { DetailSkeleton } from './DetailSkeleton';
import { TicketHeader } from './TicketHeader';
import { PanelSkeleton } from '../panel/PanelSkeleton';
import { useTicketRead } from '../read/use-ticket-read';
import { dwellMs, useTicketPage } from './use-ticket-page';
import { useListLink } from './use-list-link';

// Loaded together with the page but rendered after the conversation, because people read before they write.
const composer = import('../composer/Composer');
const Composer = lazy(() => composer.then((module) => ({ default: module.Composer })));
const panel = import('../panel/TicketPanel');
const LoadedPanel = lazy(() => panel.then((module) => ({ default: module.TicketPanel })));

const composerKeys = ['r', 'n'];
const snoozeKeys = ['h'];
const snooze = import('../snooze/SnoozeState');
const SnoozeState = lazy(() => snooze.then((module) => ({ default: module.SnoozeState })));
const TicketNotFound = lazy(() => import('./TicketNotFound').then((module) => ({ default: module.TicketNotFound })));
const LockedBanner = lazy(() => import('./LockedBanner').then((module) => ({ default: module.LockedBanner })));

const TicketPanel = ({ ticket }: { ticket: Ticket }) => (
  <Suspense fallback={<PanelSkeleton />}>
    <LoadedPanel ticket={ticket} />
  </Suspense>
);

function FoldedPanel({ ticket }: { ticket: Ticket }) {
  return (
    <details className="group mb-5 rounded-lg border bg-surface">
      <summary className="flex h-10 cursor-pointer list-none items-center gap-2 px-4 font-medium">
        {t('tickets.detail.details')}
        <ChevronDown className="ml-auto size-4 text-muted transition-transform group-open:rotate-180" aria-hidden />
      </summary>
      <div className="border-t">
        <TicketPanel ticket={ticket} />
      </div>
    </details>
  );
}

/** The subject; where the side panel is folded, also the badges that it would show. */
function TicketHeading({ ticket, isWide }: { ticket: Ticket; isWide: boolean }) {
  return (
    <>
      <h2
        dir="auto"
        title={ticket.subject}
        className="sticky top-0 z-10 -mx-2 line-clamp-2 bg-surface px-2 pt-4 pb-1.5 text-lg leading-snug font-semibold [overflow-wrap:anywhere]"
      >
        {ticket.subject}
      </h2>
      <div className="flex flex-wrap items-center gap-1.5">
        <EarlyKeys keys={snoozeKeys} fallback={ticket.snoozed_at && <span aria-hidden className="h-7 touch:h-10" />}>
          <SnoozeState ticket={ticket} />
        </EarlyKeys>
      </div>
      {isWide ? (
        <div className="h-3" />
      ) : (
        <>
          <div className="mt-1 mb-4 flex flex-wrap items-center gap-1.5">
            <StatusBadge status={ticket.status} />
            <PriorityBadge priority={ticket.priority} />
          </div>
          <FoldedPanel ticket={ticket} />
        </>
      )}
    </>
  );
}

/** Reserves the height of the composer. */
const FooterSpace = ({ ticket }: { ticket: Ticket }) => (
  <div
    aria-hidden
    className={cn(
      'm-4 mt-3 rounded-lg border border-line-strong max-md:m-2',
      ticket.cc.length > 0 && 'mt-11',
      ticket.task_finished_at ? 'h-47.5 max-sm:h-56' : 'h-34 max-sm:h-37.5',
    )}
  />
);

function TicketView({ ticket }: { ticket: Ticket }) {
  const isWide = useMedia('(min-width: 1024px)');
  const { isLoaded } = useOpenTicket();
  const [doing, setDoing] = useState<PresenceState>('viewing');
  useMarkTicketRead(isLoaded ? ticket.id : undefined);
  useTicketRead(ticket, isLoaded);
  const { pane, toEnd } = useScrollToEnd();
  return (
    <article
      aria-label={t('tickets.detail.ticket_ticket_number', { ticket_number: ticket.ticket_number })}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <TicketHeader ticket={ticket} ticketId={isLoaded ? ticket.id : undefined} doing={doing} />
      <div className="flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <div ref={pane} className="min-h-0 flex-1 overflow-y-auto px-6 pb-6 max-md:px-3" tabIndex={-1}>
            <div className="mx-auto max-w-3xl">
              <TicketHeading ticket={ticket} isWide={isWide} />
              <CommentThread ticket={ticket} pane={pane} toEnd={toEnd} />
            </div>
          </div>
          <div className="shrink-0 border-t">
            <div className="mx-auto max-w-[53rem] px-2 max-md:px-0">
              {(ticket.merged_into_id ?? ticket.anonymized_at) ? (
                <Suspense fallback={<div aria-hidden className="m-4 mt-3 h-11.5 max-md:m-2" />}>
                  <LockedBanner ticket={ticket} />
                </Suspense>
              ) : (
                <EarlyKeys keys={composerKeys} isText fallback={<FooterSpace ticket={ticket} />}>
                  <Composer ticket={ticket} onWriting={setDoing} onSent={() => setTimeout(toEnd)} />
                </EarlyKeys>
              )}
            </div>
          </div>
        </div>
        {isWide && (
          <aside aria-label={t('tickets.detail.ticket_details')} className="w-74 shrink-0 overflow-y-auto border-l">
            <TicketPanel ticket={ticket} />
          </aside>
        )}
      </div>
    </article>
  );
}

/** The organization has no such ticket: the id is unknown, malformed, or belongs to another organization. */
const isMissing = (error: unknown) => isProblem(error) && [400, 404, 422].includes(error.status);

export function TicketDetailPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const back = useListLink();
  const { state } = useLocation() as { state: { byKey?: boolean } | null };
  const { ticket, error, page } = useTicketPage(id, state?.byKey ? dwellMs : 0);
  const lost = error !== undefined && !ticket && !isMissing(error);
  useEffect(() => {
    if (ticket) rememberTicket(ticket);
  }, [ticket]);
  useEffect(() => {
    if (!lost) return;
    notify.error(t('tickets.detail.failed_to_load_ticket'));
    void navigate(back, { replace: true });
  }, [lost, back, navigate]);
  if (isMissing(error)) return <TicketNotFound />;
  if (!ticket) return <DetailSkeleton />;
  return (
    <OpenTicketContext value={page}>
      <TicketView key={ticket.id} ticket={ticket} />
    </OpenTicketContext>
  );
}
