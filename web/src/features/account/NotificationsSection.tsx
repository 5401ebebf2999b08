import { adminTopics, notificationTopics, topicLabels } from '@tandem/contracts/values';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useSession } from '../../app/api';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeleton } from '../../ui/Skeleton';
import { Switch } from '../../ui/Switch';
import { useChoose, useReadPreferencesQuery, type Way } from './notification-preferences';
import { Section } from './Section';

const ways: { way: Way; label: string }[] = [
  { way: 'in_app', label: t('account.in_app') },
  { way: 'mail', label: t('account.by_email') },
];
const anchor = 'notifications';

/**
 * Scrolls to this section from links in emails and in the bell, and again once the data is loaded: before that, the page may be too short.
 */
function useScrolledTo(isWhole: boolean): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === `#${anchor}`) document.getElementById(anchor)?.scrollIntoView();
  }, [hash, isWhole]);
}

/** Which notifications the user gets, and how. Each switch is saved immediately. */
export function NotificationsSection() {
  const { data, error, isFetching, refetch } = useReadPreferencesQuery();
  const choose = useChoose();
  const isAdmin = useSession().profile.role === 'admin';
  useScrolledTo(data !== undefined);
  return (
    <Section title={t('account.notifications')} id={anchor}>
      {error && !data && (
        <ErrorNote
          title={t('account.couldnt_load_notification_settings')}
          detail={messageOf(error, '')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!error && !data && <Skeleton className="h-44 w-full" />}
      {data && (
        <table className="w-full text-left">
          <caption className="sr-only">{t('account.notifications_and_channels')}</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="pb-2 font-medium">
                {t('account.notify_me_when')}
              </th>
              {ways.map(({ way, label }) => (
                <th key={way} scope="col" className="w-20 pb-2 text-center font-medium">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y border-t">
            {notificationTopics
              .filter((topic) => !adminTopics.includes(topic) || isAdmin)
              .map((topic) => (
                <tr key={topic}>
                  <th scope="row" className="py-2.5 pr-3 font-normal">
                    {topicLabels[topic]}
                  </th>
                  {ways.map(({ way, label }) => (
                    <td key={way} className="*:mx-auto *:w-fit">
                      <Switch
                        hideLabel
                        label={`${topicLabels[topic]}: ${label.toLowerCase()}`}
                        checked={data[topic][way]}
                        onChange={(on) => choose(topic, way, on)}
                      />
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
