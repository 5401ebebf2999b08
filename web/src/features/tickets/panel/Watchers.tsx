import type { Ticket } from '@tandem/contracts';
import { Eye, EyeOff, Plus, X } from 'lucide-react';
import { useListMembersQuery, useSession } from '../../../app/api';
import { useMemberName } from '../../../app/use-member-name';
import { useHotkeys } from '../../../lib/keyboard';
import { nameOf } from '../../../lib/names';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Avatar } from '../../../ui/Avatar';
import { Button } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';
import { useSetWatcherMutation } from './panel.api';
import { Section } from './Section';

/** The members who are notified about this ticket, in addition to the assignee. */
export function Watchers({ ticket }: { ticket: Ticket }) {
  const { profile } = useSession();
  const { data: members = [] } = useListMembersQuery();
  const memberName = useMemberName();
  const [setWatcher, { isLoading }] = useSetWatcherMutation();
  const watches = ticket.watchers.includes(profile.user_id);
  const set = async (user_id: string, next: boolean) => {
    const { error } = await setWatcher({ ticket_id: ticket.id, user_id, watches: next });
    if (error) notify.problem(error, t('tickets.panel.failed_to_update_watchers'));
  };
  useHotkeys({ w: () => void set(profile.user_id, !watches) });
  const people = ticket.watchers.map((user_id) => ({ user_id, name: memberName(user_id) }));
  const others = members.filter(({ user_id, is_active }) => is_active && user_id !== profile.user_id && !ticket.watchers.includes(user_id));
  return (
    <Section
      title={t('tickets.panel.watchers')}
      action={
        <span className="-my-1 flex">
          <Button size="sm" variant="ghost" busy={isLoading} onClick={() => void set(profile.user_id, !watches)}>
            {!isLoading && (watches ? <EyeOff aria-hidden /> : <Eye aria-hidden />)}
            {watches ? t('tickets.panel.stop_watching') : t('tickets.panel.watch')}
          </Button>
          {others.length > 0 && (
            <Menu
              className="max-h-72 overflow-y-auto"
              trigger={
                <Button size="sm" variant="ghost" aria-label={t('tickets.panel.add_watcher')} className="px-1">
                  <Plus aria-hidden />
                </Button>
              }
              entries={others.map((member) => ({ label: nameOf(member), onSelect: () => void set(member.user_id, true) }))}
            />
          )}
        </span>
      }
    >
      {people.length === 0 ? (
        <p className="text-xs text-muted">{t('tickets.panel.no_watchers_yet')}</p>
      ) : (
        <ul aria-label={t('tickets.panel.watchers')} className="flex flex-col gap-1">
          {people.map(({ user_id, name }) => (
            <li key={user_id} className="group flex items-center gap-2">
              <Avatar name={name} size="xs" />
              <span className="truncate">{name}</span>
              <Button
                size="icon-sm"
                variant="ghost"
                aria-label={t('tickets.panel.remove_name_from_watchers', { name })}
                className="-my-1 ml-auto opacity-0 group-hover:opacity-100 focus-visible:opacity-100 touch:opacity-100"
                onClick={() => void set(user_id, false)}
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
