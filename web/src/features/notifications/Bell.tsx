import { Bell as BellIcon } from 'lucide-react';
import { lazy, useEffect, useRef } from 'react';
import { useSession } from '../../app/api';
import { unreadCap, useCountUnreadQuery } from '../../app/notifications';
import { announce } from '../../lib/announce';
import { setTitleCount } from '../../lib/document-title';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { LazyPopup } from '../../ui/LazyPopup';

const load = () => import('./NotificationsPopup');
const NotificationsPopup = lazy(() => load().then((module) => ({ default: module.NotificationsPopup })));

const countOf = (unread: number): string => (unread >= unreadCap ? '99+' : unread > 0 ? String(unread) : '');

/** Announces an increased count to screen readers, but not the initial one. */
function useAnnounced(unread: number | undefined): void {
  const before = useRef(unread);
  useEffect(() => {
    if (unread !== undefined && before.current !== undefined && unread > before.current)
      announce(t('notifications.new_notification_unread_unread', { unread }));
    before.current = unread;
  }, [unread]);
}

/** Shows the unread count in the top bar and in the tab title. The list is loaded when the user opens it. */
export function Bell() {
  const { data } = useCountUnreadQuery(useSession().profile.user_id);
  const count = countOf(data?.unread ?? 0);
  useAnnounced(data?.unread);
  useEffect(() => setTitleCount(count), [count]);
  useEffect(() => () => setTitleCount(''), []);

  const trigger = (
    <Button
      variant="ghost"
      size="icon"
      aria-label={count ? t('notifications.notifications_count_unread', { count }) : t('notifications.notifications')}
    >
      <span className="relative">
        <BellIcon aria-hidden />
        {count && (
          <span className="tabular absolute -top-2 left-2 rounded-full bg-accent px-1 text-2xs leading-4 font-semibold text-accent-ink ring-2 ring-surface">
            {count}
          </span>
        )}
      </span>
    </Button>
  );
  return (
    <LazyPopup trigger={trigger} opens="dialog" load={load}>
      <NotificationsPopup trigger={trigger} />
    </LazyPopup>
  );
}
