import type { Ticket } from '@tandem/contracts';
import { Ellipsis, GitMerge, Link as LinkIcon, Pencil, Webhook } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useListMembersQuery, useSession } from '../../../app/api';
import type { PersonPresent, PresenceState } from '../../../app/presence';
import { announce } from '../../../lib/announce';
import { copyText } from '../../../lib/clipboard';
import { useHotkeys } from '../../../lib/keyboard';
import { nameOf } from '../../../lib/names';
import { Avatar } from '../../../ui/Avatar';
import { Button } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';

const MergeDialog = lazy(() => import('../panel/MergeDialog').then((module) => ({ default: module.MergeDialog })));

export function MoreActions({ ticket, isWide }: { ticket: Ticket; isWide: boolean }) {
  const navigate = useNavigate();
  const { role } = useSession().profile;
  const [isMerging, setIsMerging] = useState(false);
  const copyLink = () => void copyText(`${location.origin}/tickets/${ticket.id}`, 'Copied!');
  useHotkeys({ m: ticket.merged_into_id ? undefined : () => setIsMerging(true), l: copyLink });
  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" size={isWide ? 'icon-sm' : 'icon'} aria-label="More actions">
            <Ellipsis aria-hidden />
          </Button>
        }
        entries={[
          ...(isWide ? [] : [{ label: 'Edit Ticket', icon: Pencil, onSelect: () => void navigate(`/tickets/${ticket.id}/edit`) }]),
          { label: 'Copy link', icon: LinkIcon, onSelect: copyLink },
          ...(role === 'admin'
            ? [
                {
                  label: 'Webhook deliveries',
                  icon: Webhook,
                  onSelect: () => void navigate(`/settings?tab=webhooks&ticket=${ticket.id}`),
                },
              ]
            : []),
          ...(ticket.merged_into_id ? [] : [{ label: 'Merge into another ticket', icon: GitMerge, onSelect: () => setIsMerging(true) }]),
        ]}
      />
      {isMerging && (
        <Suspense fallback={null}>
          <MergeDialog ticket={ticket} onClose={() => setIsMerging(false)} />
        </Suspense>
      )}
    </>
  );
}

const isWriting = ({ state }: { state: PresenceState }) => state !== 'viewing';

function activityText(people: { state: PresenceState }[]): string {
  if (!people.some(isWriting)) return 'viewing';
  if (people.every(({ state }) => state === 'writing')) return 'writing a reply…';
  return people.every(({ state }) => state === 'writing_note') ? 'writing a note…' : 'writing…';
}

/**
 * 'Priya is viewing', 'Tomas is writing a note…', 'Priya and 2 others are viewing'. People who write take precedence over those who only
 * view.
 */
export function presenceText(people: { name: string; state: PresenceState }[]): string {
  const writers = people.filter(isWriting);
  const named = writers.length > 0 ? writers : people;
  const [first, second, ...more] = named;
  if (!first) return '';
  const doing = activityText(named);
  if (!second) return `${first.name} is ${doing}`;
  return `${first.name} and ${more.length === 0 ? second.name : `${more.length + 1} others`} are ${doing}`;
}

/** The other people on this ticket, by first name. */
export function Present({ people }: { people: PersonPresent[] }) {
  const { data: members = [] } = useListMembersQuery();
  const known = people.map(({ user_id, state }) => {
    const member = members.find((each) => each.user_id === user_id);
    return { user_id, state, full: nameOf(member, 'A teammate'), name: member?.first_name ?? nameOf(member, 'A teammate') };
  });
  const text = presenceText(known);
  useEffect(() => {
    if (text) announce(text);
  }, [text]);
  if (!text) return null;
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-xs text-muted" title={known.map(({ full }) => full).join(', ')}>
      <span className="flex shrink-0 -space-x-1.5">
        {known.slice(0, 3).map(({ user_id, full }) => (
          <Avatar key={user_id} name={full} size="xs" className="ring-2 ring-surface" />
        ))}
      </span>
      <span className="truncate max-sm:sr-only">{text}</span>
    </span>
  );
}
