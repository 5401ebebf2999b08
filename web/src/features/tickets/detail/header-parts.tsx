import type { Ticket } from '@tandem/contracts';
import { BookPlus, Ellipsis, GitMerge, Link as LinkIcon, Pencil, Webhook } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { useListMembersQuery, useSession } from '../../../app/api';
import { usePresence, type PresenceState } from '../../../app/presence';
import type { AppDispatch } from '../../../app/store';
import { announce } from '../../../lib/announce';
import { copyText } from '../../../lib/clipboard';
import { useHotkeys } from '../../../lib/keyboard';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { Avatar } from '../../../ui/Avatar';
import { Button } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';

const MergeDialog = lazy(() => import('../panel/MergeDialog').then((module) => ({ default: module.MergeDialog })));

/** Undefined without a reply to the customer, because the article would have no answer. */
function useDraftArticle({ id, first_response_at }: Ticket): (() => void) | undefined {
  const navigate = useNavigate();
  const dispatch = useDispatch<AppDispatch>();
  const isRunning = useRef(false);
  if (first_response_at === null) return undefined;
  const draft = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    const { draftArticle } = await import('./draft-article');
    const address = await draftArticle(dispatch, id);
    isRunning.current = false;
    if (address !== undefined) void navigate(address);
  };
  return () => void draft();
}

export function MoreActions({ ticket, isWide }: { ticket: Ticket; isWide: boolean }) {
  const navigate = useNavigate();
  const { role } = useSession().profile;
  const [isMerging, setIsMerging] = useState(false);
  const copyLink = () => void copyText(`${location.origin}/tickets/${ticket.id}`, t('tickets.detail.copied'));
  const draftArticle = useDraftArticle(ticket);
  const isLocked = ticket.merged_into_id ?? ticket.anonymized_at;
  useHotkeys({ m: isLocked ? undefined : () => setIsMerging(true), l: copyLink, 'draft-article': draftArticle });
  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" size={isWide ? 'icon-sm' : 'icon'} aria-label={t('tickets.detail.more_actions')}>
            <Ellipsis aria-hidden />
          </Button>
        }
        entries={[
          ...(isWide
            ? []
            : [{ label: t('tickets.detail.edit_ticket'), icon: Pencil, onSelect: () => void navigate(`/tickets/${ticket.id}/edit`) }]),
          { label: t('tickets.detail.copy_link'), icon: LinkIcon, onSelect: copyLink },
          ...(draftArticle ? [{ label: t('tickets.detail.create_article_from_ticket'), icon: BookPlus, onSelect: draftArticle }] : []),
          ...(role === 'admin'
            ? [
                {
                  label: t('tickets.detail.webhook_deliveries'),
                  icon: Webhook,
                  onSelect: () => void navigate(`/settings?tab=webhooks&ticket=${ticket.id}`),
                },
              ]
            : []),
          ...(isLocked
            ? []
            : [{ label: t('tickets.detail.merge_into_another_ticket'), icon: GitMerge, onSelect: () => setIsMerging(true) }]),
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

type Doing = PresenceState | 'writing_both';

function doingOf(people: { state: PresenceState }[]): Doing {
  const [first] = people;
  return people.every(({ state }) => state === first?.state) ? first!.state : 'writing_both';
}

function sentenceOf(doing: Doing, names: string, isOne: boolean): string {
  switch (doing) {
    case 'viewing':
      return isOne ? t('tickets.detail.is_viewing', { names }) : t('tickets.detail.are_viewing', { names });
    case 'writing':
      return isOne ? t('tickets.detail.is_writing_reply', { names }) : t('tickets.detail.are_writing_reply', { names });
    case 'writing_note':
      return isOne ? t('tickets.detail.is_writing_note', { names }) : t('tickets.detail.are_writing_note', { names });
    case 'writing_both':
      return t('tickets.detail.are_writing', { names });
  }
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
  const others = more.length + 1;
  const names = !second
    ? first.name
    : more.length === 0
      ? t('tickets.detail.two_names', { first: first.name, second: second.name })
      : t('tickets.detail.name_and_others', { first: first.name, others });
  return sentenceOf(doingOf(named), names, !second);
}

export interface PresentProps {
  /** Undefined until the ticket has loaded. */
  ticketId: string | undefined;
  /** What this user does. */
  doing: PresenceState;
}

/** The other people on this ticket, by first name. Also reports this user as present. */
export function Present({ ticketId, doing }: PresentProps) {
  const people = usePresence(ticketId, doing);
  const { data: members = [] } = useListMembersQuery();
  const known = people.map(({ user_id, state }) => {
    const member = members.find((each) => each.user_id === user_id);
    return {
      user_id,
      state,
      full: nameOf(member, t('tickets.detail.teammate')),
      name: member?.first_name ?? nameOf(member, t('tickets.detail.teammate')),
    };
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
