import type { Ticket } from '@tandem/contracts';
import { AlarmClock } from 'lucide-react';
import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react';
import { formatDate, formatMoment } from '../../../lib/dates';
import { useHotkeys } from '../../../lib/keyboard';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { useWakeTicketMutation } from './snooze.api';

const SnoozeDialog = lazy(() => import('./SnoozeDialog').then((module) => ({ default: module.SnoozeDialog })));

type Snoozed = Pick<Ticket, 'snoozed_at' | 'snoozed_until'>;

export const snoozeText = ({ snoozed_until }: Snoozed): string =>
  snoozed_until ? t('tickets.snooze.until_moment', { moment: formatMoment(snoozed_until) }) : t('tickets.snooze.until_reply');
export const snoozeTitle = ({ snoozed_until }: Snoozed): string =>
  snoozed_until
    ? t('tickets.snooze.snoozed_until_date_or_reply', { date: formatDate(snoozed_until) })
    : t('tickets.snooze.snoozed_until_customer_replies');

type Snoozable = Pick<Ticket, 'id' | 'ticket_number' | 'status' | 'snoozed_at'>;
export const isSnoozable = ({ status }: Pick<Ticket, 'status'>): boolean => status !== 'resolved' && status !== 'closed';

/** Opens the choices for a ticket. */
export function useSnoozeDialog(): { ask: (ticket: Snoozable) => void; dialog: ReactNode } {
  const [ticket, setTicket] = useState<Snoozable>();
  const dialog = ticket && (
    <Suspense fallback={null}>
      <SnoozeDialog ticket={ticket} onClose={() => setTicket(undefined)} />
    </Suspense>
  );
  const ask = useCallback((wanted: Snoozable) => {
    if (isSnoozable(wanted)) setTicket(wanted);
  }, []);
  return { ask, dialog };
}

/** On the ticket's page: until when it is snoozed, and the key `h`. */
export function SnoozeState({ ticket }: { ticket: Snoozable & Snoozed }) {
  const { ask, dialog } = useSnoozeDialog();
  const [wake, { isLoading }] = useWakeTicketMutation();
  useHotkeys({ h: () => ask(ticket) });
  const end = async () => {
    const { error } = await wake(ticket.id);
    if (error) notify.problem(error, t('tickets.snooze.couldnt_end_snooze'));
  };
  return (
    <>
      {ticket.snoozed_at && (
        <>
          <Badge tone="gray" title={snoozeTitle(ticket)}>
            <AlarmClock aria-hidden />
            {snoozeTitle(ticket)}
          </Badge>
          <Button variant="ghost" size="sm" busy={isLoading} onClick={() => void end()}>
            {t('tickets.snooze.end_snooze')}
          </Button>
        </>
      )}
      {dialog}
    </>
  );
}
