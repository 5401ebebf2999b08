import type { Member } from '@tandem/contracts';
import { useEffect, useId, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useListMembersQuery, useSession } from '../../../app/api';
import { announce } from '../../../lib/announce';
import { cn } from '../../../lib/cn';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { Avatar } from '../../../ui/Avatar';
import type { Mention } from './unsent.slice';

const shown = 6;

/** Colleagues whose email address or any part of whose name starts with the query. */
export function matching(members: Member[], query: string, me: string): Member[] {
  const wanted = query.toLowerCase();
  return members
    .filter((member) => member.is_active && member.user_id !== me)
    .filter((member) => {
      const name = nameOf(member).toLowerCase();
      return name.startsWith(wanted) || name.split(' ').some((part) => part.startsWith(wanted)) || member.email.startsWith(wanted);
    })
    .slice(0, shown);
}

interface MentionListProps {
  query: string;
  box: RefObject<HTMLTextAreaElement | null>;
  onPick: (mention: Mention) => void;
  onClose: () => void;
}

/** Redirects the keys of the text box while the list is open, and sets the active option on the box for screen readers. */
function useBoxKeys(box: RefObject<HTMLTextAreaElement | null>, onKey: (key: string) => boolean) {
  const latest = useRef(onKey);
  useLayoutEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const element = box.current;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.isComposing || !latest.current(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    element?.addEventListener('keydown', listen);
    return () => element?.removeEventListener('keydown', listen);
  }, [box]);
}

function useActiveDescendant(box: RefObject<HTMLTextAreaElement | null>, list: string, option: string | undefined) {
  useEffect(() => {
    const element = box.current;
    if (!element || !option) return;
    const attributes = { 'aria-controls': list, 'aria-activedescendant': option, 'aria-autocomplete': 'list' };
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return () => Object.keys(attributes).forEach((name) => element.removeAttribute(name));
  }, [box, list, option]);
}

/** The colleagues that match a mention. The focus stays in the text box. */
export function MentionList({ query, box, onPick, onClose }: MentionListProps) {
  const id = useId();
  const { profile } = useSession();
  const { data: members = [] } = useListMembersQuery();
  const people = matching(members, query, profile.user_id);
  const [at, setAt] = useState(0);
  const active = Math.min(at, people.length - 1);
  const pick = (member: Member | undefined) => member && onPick({ user_id: member.user_id, name: nameOf(member) });
  useBoxKeys(box, (key) => {
    if (key === 'Escape') onClose();
    else if (people.length === 0) return false;
    else if (key === 'ArrowDown') setAt((active + 1) % people.length);
    else if (key === 'ArrowUp') setAt((active + people.length - 1) % people.length);
    else if (key === 'Enter' || key === 'Tab') pick(people[active]);
    else return false;
    return true;
  });
  useActiveDescendant(box, id, people[active] && `${id}-${active}`);
  const count = people.length;
  useEffect(() => {
    if (count > 0) announce(t('tickets.composer.count_teammates_choose_with_arrow', { count }));
  }, [count]);
  if (count === 0) return null;
  return (
    <ul
      role="listbox"
      id={id}
      aria-label={t('tickets.composer.mention_teammate')}
      className="absolute bottom-full left-2 z-20 mb-1 w-72 max-w-[calc(100%-1rem)] animate-pop rounded-lg border border-line-strong bg-raised p-1 shadow-overlay"
    >
      {people.map((member, index) => (
        <li
          key={member.user_id}
          role="option"
          id={`${id}-${index}`}
          aria-selected={index === active}
          // On pointer down rather than click: a click would first move the focus out of the text box.
          onPointerDown={(event) => {
            event.preventDefault();
            pick(member);
          }}
          className={cn('flex h-8 cursor-default items-center gap-2 rounded-sm px-2 touch:h-10', index === active && 'bg-hover')}
        >
          <Avatar name={nameOf(member)} size="xs" />
          <span className="truncate">{nameOf(member)}</span>
          <span className="ml-auto truncate pl-2 text-xs text-muted">{member.email}</span>
        </li>
      ))}
    </ul>
  );
}
