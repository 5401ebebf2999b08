import type { Ticket } from '@tandem/contracts';
import { ArrowLeft, CircleCheck, Ellipsis, Pencil, RotateCcw, X } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { announce } from '../../../lib/announce';
import { EarlyKeys } from '../../../lib/early-keys';
import { useHotkeys } from '../../../lib/keyboard';
import { useMedia } from '../../../lib/media';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { PageHeader, useDocumentTitle } from '../../../ui/PageHeader';
import { useTicketLayout } from '../list/TicketsPage';
import { useTicketChange } from '../use-ticket-change';
import type { PresentProps } from './header-parts';
import { useListLink } from './use-list-link';

// Loaded together with the page but not part of its first load: its menu opens, and the names of other people arrive, later.
const parts = import('./header-parts');
const menuKeys = ['m', 'l'];
const LoadedActions = lazy(() => parts.then((module) => ({ default: module.MoreActions })));
const LoadedPresent = lazy(() => parts.then((module) => ({ default: module.Present })));

const MoreActions = ({ ticket, isWide }: { ticket: Ticket; isWide: boolean }) => (
  <EarlyKeys
    keys={menuKeys}
    fallback={
      <Button aria-hidden disabled variant="ghost" size={isWide ? 'icon-sm' : 'icon'}>
        <Ellipsis />
      </Button>
    }
  >
    <LoadedActions ticket={ticket} isWide={isWide} />
  </EarlyKeys>
);

const Present = (props: PresentProps) => (
  <Suspense fallback={null}>
    <LoadedPresent {...props} />
  </Suspense>
);

function Actions({ ticket }: { ticket: Ticket }) {
  const { setStatus } = useTicketChange(ticket.id);
  const resolved = ticket.status === 'resolved';
  const isWide = useMedia('(min-width: 768px)');
  const toggle = () => void setStatus(resolved ? 'open' : 'resolved');
  useHotkeys({ e: () => !resolved && void setStatus('resolved') });
  return (
    <>
      {isWide && (
        <Button asChild size="sm" variant="ghost">
          <Link to={`/tickets/${ticket.id}/edit`} aria-label={t('tickets.detail.edit')}>
            <Pencil aria-hidden />
            {t('tickets.detail.edit')}
          </Link>
        </Button>
      )}
      <Button
        size={isWide ? 'sm' : 'icon'}
        onClick={toggle}
        title={resolved ? t('tickets.detail.reopen_ticket') : t('tickets.detail.mark_as_resolved_e')}
      >
        {resolved ? <RotateCcw aria-hidden /> : <CircleCheck aria-hidden />}
        <span className={isWide ? undefined : 'sr-only'}>{resolved ? t('tickets.detail.reopen') : t('tickets.detail.resolve')}</span>
      </Button>
      <MoreActions ticket={ticket} isWide={isWide} />
    </>
  );
}

/** The number, the other people on the ticket and its actions. Next to the list, the ticket has its own bar. */
export function TicketHeader({ ticket, ...presence }: { ticket: Ticket } & PresentProps) {
  const { isBesideList } = useTicketLayout();
  const back = useListLink();
  const title = `${ticket.ticket_number} ${ticket.subject}`;
  useDocumentTitle(isBesideList ? title : null);
  useEffect(() => {
    if (isBesideList)
      announce(t('tickets.detail.opened_ticket_number_subject', { ticket_number: ticket.ticket_number, subject: ticket.subject }));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per ticket, not once per change to its subject
  }, [isBesideList, ticket.id]);
  if (!isBesideList) {
    return (
      <PageHeader
        title={ticket.ticket_number}
        documentTitle={title}
        before={
          <Button asChild variant="ghost" size="icon" className="-ml-2">
            <Link to={back} aria-label={t('tickets.detail.back_to_tickets')}>
              <ArrowLeft aria-hidden />
            </Link>
          </Button>
        }
        actions={
          <>
            <Present {...presence} />
            <Actions ticket={ticket} />
          </>
        }
      />
    );
  }
  return (
    <header className="flex h-11 shrink-0 items-center gap-3 border-b px-4">
      <span className="text-muted tabular">{ticket.ticket_number}</span>
      <Present {...presence} />
      <div className="ml-auto flex shrink-0 items-center gap-1.5">
        <Actions ticket={ticket} />
        <Button asChild variant="ghost" size="icon-sm">
          <Link to={back} aria-label={t('tickets.detail.close_ticket')}>
            <X aria-hidden />
          </Link>
        </Button>
      </div>
    </header>
  );
}
