import type { Notification } from '@tandem/contracts';
import { BellOff, Settings2 } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { useId, useRef, useState, type ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { useSession } from '../../app/api';
import { isUnread, useCountUnreadQuery } from '../../app/notifications';
import { cn } from '../../lib/cn';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorNote } from '../../ui/ErrorNote';
import { Rich } from '../../ui/Rich';
import { Skeleton } from '../../ui/Skeleton';
import { Time } from '../../ui/Time';
import { groupNotices, type NoticeGroup } from './group-notices';
import { iconOf, pageOf, sentenceOf } from './notice-labels';
import { useListNotificationsInfiniteQuery } from './notifications.api';
import { useReadNotices } from './use-read-notices';

/** At most this many earlier notifications of a ticket are named; the others are counted. */
const maxEarlier = 2;

/** Both due times of a ticket may be missed in the same minute: the same sentence is shown once, with a count. */
function Earlier({ notices }: { notices: readonly Notification[] }) {
  const bySentence = new Map<string, Notification[]>();
  for (const notice of notices) bySentence.set(sentenceOf(notice), [...(bySentence.get(sentenceOf(notice)) ?? []), notice]);
  const sentences = [...bySentence].slice(0, maxEarlier);
  const more = notices.length - sentences.reduce((sum, [, same]) => sum + same.length, 0);
  return (
    <>
      {sentences.map(([sentence, same]) => (
        <span key={sentence} className="mt-0.5 block truncate text-xs text-muted">
          {same.length > 1 ? (
            <Rich
              text={t('notifications.sentence_count_times', { sentence, count: same.length })}
              tags={{ time: () => <Time relative iso={same[0]!.created_at} /> }}
            />
          ) : (
            <Rich text={t('notifications.sentence', { sentence })} tags={{ time: () => <Time relative iso={same[0]!.created_at} /> }} />
          )}
        </span>
      ))}
      {more > 0 && <span className="block text-xs text-muted">{t('notifications.count_more_updates', { more })}</span>}
    </>
  );
}

interface NoticeProps {
  group: NoticeGroup;
  /** How many of the group are unread. */
  unread: number;
  onOpen: () => void;
}

function Notice({ group: { newest: notice, earlier }, unread, onOpen }: NoticeProps) {
  const { icon: Icon, tone } = iconOf[notice.kind];
  return (
    <li>
      <Link to={pageOf(notice)} onClick={onOpen} className="flex gap-3 px-4 py-2.5 outline-offset-[-2px] transition-colors hover:bg-hover">
        <Icon className={cn('mt-0.5 size-4 shrink-0', tone)} aria-hidden />
        <span className="min-w-0 flex-1">
          <span className={cn('block break-words', unread > 0 && 'font-semibold')}>
            {unread > 0 && <span className="sr-only">{t('notifications.count_unread', { unread })}</span>}
            {sentenceOf(notice)}
          </span>
          <bdi className={cn('block text-muted', notice.ticket_id === null ? 'line-clamp-3' : 'truncate')}>{notice.subject}</bdi>
          <Time relative iso={notice.created_at} className="text-xs text-muted" />
          <Earlier notices={earlier} />
        </span>
        {unread === 1 && <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent" aria-hidden />}
        {unread > 1 && (
          <span
            className="tabular mt-0.5 h-4 min-w-4 shrink-0 rounded-full bg-accent px-1 text-center text-2xs leading-4 font-semibold text-accent-ink"
            aria-hidden
          >
            {unread}
          </span>
        )}
      </Link>
    </li>
  );
}

function Notices({ onOpen }: { onOpen: (notice: Notification) => void }) {
  const { user_id } = useSession().profile;
  const { data: count } = useCountUnreadQuery(user_id);
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useListNotificationsInfiniteQuery(user_id);
  const notices = data?.pages.flatMap(({ items }) => items);
  if (error && !notices) {
    return (
      <ErrorNote
        title={t('notifications.couldnt_load_your_notifications')}
        detail={messageOf(error, '')}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!notices) {
    return (
      <div aria-busy className="flex flex-col gap-3 p-4">
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} className="h-12" />
        ))}
      </div>
    );
  }
  if (notices.length === 0) {
    return (
      <EmptyState icon={BellOff} title={t('notifications.nothing_yet')}>
        {t('notifications.no_notifications_yet')}
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="divide-y">
        {groupNotices(notices).map((group) => (
          <Notice
            key={group.newest.ticket_id ?? group.newest.id}
            group={group}
            // The unread count is updated before the list is refetched: a ticket's page marks its notifications as read.
            unread={[group.newest, ...group.earlier].filter((each) => each.read_at === null && (!count || isUnread(count, each))).length}
            onOpen={() => onOpen(group.newest)}
          />
        ))}
      </ul>
      {hasNextPage && (
        <div className="border-t p-2 text-center">
          <Button variant="ghost" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {error ? t('notifications.try_again') : t('notifications.show_more')}
          </Button>
        </div>
      )}
    </>
  );
}

/** The list below the bell, loaded on demand by Bell.tsx and therefore open when it mounts. Escape and a click outside close it. */
export function NotificationsPopup({ trigger }: { trigger: ReactElement }) {
  const [open, setOpen] = useState(true);
  const isLeaving = useRef(false);
  const heading = useId();
  const { data } = useCountUnreadQuery(useSession().profile.user_id);
  const markRead = useReadNotices();
  const leave = () => {
    isLeaving.current = true;
    setOpen(false);
  };
  // After following a link, focus the new page instead of the bell, unless its heading already has the focus.
  const onCloseAutoFocus = (event: Event) => {
    if (!isLeaving.current) return;
    event.preventDefault();
    isLeaving.current = false;
    if (document.activeElement === document.body) document.getElementById('content')?.focus();
  };
  const go = (notice: Notification) => {
    leave();
    if ((notice.ticket_id !== null || notice.read_at === null) && (!data || isUnread(data, notice))) void markRead(notice);
  };
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-labelledby={heading}
          onCloseAutoFocus={onCloseAutoFocus}
          className="z-50 flex max-h-[min(36rem,calc(100dvh-4rem))] w-[min(24rem,calc(100vw-1rem))] animate-pop flex-col rounded-lg border border-line-strong bg-raised shadow-overlay"
        >
          <div className="flex min-h-11 items-center gap-1 border-b py-1.5 pr-2 pl-4">
            <h2 id={heading} className="flex-1 font-semibold">
              {t('notifications.notifications')}
            </h2>
            <Button variant="ghost" size="sm" disabled={data?.unread === 0} onClick={() => void markRead()}>
              {t('notifications.mark_all_as_read')}
            </Button>
            <Button asChild variant="ghost" size="icon-sm" onClick={leave}>
              <Link
                to="/account#notifications"
                aria-label={t('notifications.notification_settings')}
                title={t('notifications.notification_settings')}
              >
                <Settings2 aria-hidden />
              </Link>
            </Button>
          </div>
          <div className="min-h-0 overflow-y-auto">
            <Notices onOpen={go} />
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
