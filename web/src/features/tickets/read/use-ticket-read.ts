import type { Ticket } from '@tandem/contracts';
import { useEffect, useRef } from 'react';
import { useDispatch } from 'react-redux';
import type { AppDispatch } from '../../../app/store';
import { useHotkeys } from '../../../lib/keyboard';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { useTabVisible } from '../../../lib/tab-visible';
import { readApi, useMarkTicketReadMutation, useMarkTicketUnreadMutation } from './read.api';

type Readable = Pick<Ticket, 'id' | 'created_at' | 'last_comment_at'>;
/** The position of a user who has seen everything. */
export const endOf = ({ created_at, last_comment_at }: Readable): string => last_comment_at ?? created_at;

/**
 * Marks a ticket as read while its page is loaded and visible, again for each comment that arrives, and as unread with `u`. No request
 * if the user had read all of it.
 */
export function useTicketRead(ticket: Readable, isLoaded: boolean): void {
  const { id } = ticket;
  const until = endOf(ticket);
  const isVisible = useTabVisible();
  const dispatch = useDispatch<AppDispatch>();
  const { data: before } = readApi.endpoints.readPosition.useQueryState(id);
  const [markRead] = useMarkTicketReadMutation();
  const [markUnread] = useMarkTicketUnreadMutation();
  /** The position that this page has reached. A ticket marked as unread stays so until it is opened again. */
  const reached = useRef('');
  const isNew = (before?.read_until ?? '') < until;
  useEffect(() => {
    if (!isLoaded || !isVisible || !isNew || reached.current >= until) return;
    reached.current = until;
    // Without a retry: the ticket stays unread until it is opened again.
    void markRead({ id, until });
  }, [isLoaded, isVisible, isNew, id, until, markRead]);
  const wasMarkedUnread = useRef(false);
  useEffect(
    () => () => {
      const read_until = wasMarkedUnread.current ? null : reached.current;
      if (read_until !== '') dispatch(readApi.util.upsertQueryEntries([{ endpointName: 'readPosition', arg: id, value: { read_until } }]));
    },
    [dispatch, id],
  );
  const unread = async () => {
    wasMarkedUnread.current = true;
    const { error } = await markUnread(id);
    if (error) notify.error(t('tickets.read.couldnt_mark_ticket_as_unread'));
    else notify.success(t('tickets.read.marked_as_unread'));
  };
  useHotkeys({ u: () => void unread() });
}
