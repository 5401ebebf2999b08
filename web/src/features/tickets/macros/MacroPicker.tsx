import type { Macro, Ticket } from '@tandem/contracts';
import { fillMacro } from '@tandem/contracts/values';
import { Lock, Settings2 } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Link } from 'react-router-dom';
import { useListMembersQuery, useSession } from '../../../app/api';
import { useCustomFields, useListCustomFieldsQuery } from '../../../app/custom-fields/custom-fields.api';
import { validChanges } from '../../../app/custom-fields/ticket-fields';
import { cn } from '../../../lib/cn';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { Skeleton } from '../../../ui/Skeleton';
import { changeSentences } from './change-labels';
import { useListMacrosQuery } from './macros.api';

export interface FilledMacro extends Pick<Macro, 'is_internal' | 'changes'> {
  text: string;
}

/** The canned reply in the ticket's language, with this ticket's values instead of the variables. */
function useFill(ticket: Ticket) {
  const { profile, organization } = useSession();
  const { isSuccess } = useListCustomFieldsQuery();
  const fields = useCustomFields();
  return (macro: Macro): FilledMacro => ({
    is_internal: macro.is_internal,
    changes: isSuccess ? validChanges(fields, macro.changes) : macro.changes,
    text: fillMacro((ticket.language && macro.translations[ticket.language]) ?? macro.content, {
      'customer.name': ticket.customer_name ?? ticket.customer_email,
      'customer.email': ticket.customer_email,
      'ticket.number': ticket.ticket_number,
      'ticket.subject': ticket.subject,
      'agent.name': nameOf(profile),
      'agent.first_name': profile.first_name ?? nameOf(profile),
      'organization.name': organization?.name ?? '',
    }),
  });
}

const contains = (macro: Macro, search: string) =>
  [macro.name, macro.content, ...Object.values(macro.translations)].join('\n').toLowerCase().includes(search.trim().toLowerCase());

/** Closes on a press outside the panel. */
function useCloseOutside(onClose: () => void) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const listen = (event: PointerEvent) => !panel.current?.contains(event.target as Node) && onClose();
    document.addEventListener('pointerdown', listen);
    return () => document.removeEventListener('pointerdown', listen);
  }, [onClose]);
  return panel;
}

interface OptionProps {
  macro: Macro;
  /** As it will be inserted. */
  filled: FilledMacro;
  id: string;
  isActive: boolean;
  onPick: () => void;
}

function Option({ macro, filled, id, isActive, onPick }: OptionProps) {
  const { data: members = [] } = useListMembersQuery();
  const fields = useCustomFields();
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const second = [filled.text.replaceAll('\n', ' '), ...changeSentences(filled.changes, members, fields).map(({ text }) => text)].filter(
    Boolean,
  );
  return (
    <li
      ref={element}
      role="option"
      id={id}
      aria-selected={isActive}
      onClick={onPick}
      className={cn('cursor-default rounded-sm px-2 py-1.5', isActive ? 'bg-hover' : 'hover:bg-hover')}
    >
      <span className="flex items-center gap-1.5 font-medium">
        <span className="truncate">{macro.name}</span>
        {macro.is_internal && <Lock className="size-3 shrink-0 text-amber-text" aria-label={t('tickets.macros.internal_note')} />}
      </span>
      <span dir="auto" className="block truncate text-xs text-muted">
        {second.join(' · ')}
      </span>
    </li>
  );
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
};

const NothingFound = ({ hasAny }: { hasAny: boolean }) => (
  <p className="px-3 pt-1 pb-3 text-muted">{hasAny ? t('tickets.macros.nothing_found') : t('tickets.macros.no_canned_replies_yet')}</p>
);

const ManageLink = () => (
  <Link to="/canned-replies" className="flex h-9 shrink-0 items-center gap-2 border-t px-3 text-xs text-muted hover:text-ink">
    <Settings2 className="size-3.5" aria-hidden />
    {t('tickets.macros.manage_canned_replies')}
  </Link>
);

const consume = (event: KeyboardEvent) => {
  event.preventDefault();
  event.stopPropagation();
};

const label = t('tickets.macros.canned_replies');

interface MacroPickerProps {
  ticket: Ticket;
  onPick: (macro: FilledMacro) => void;
  onClose: () => void;
}

/** A searchable list of canned replies to insert into the text. */
export function MacroPicker({ ticket, onPick, onClose }: MacroPickerProps) {
  const id = useId();
  const fill = useFill(ticket);
  const { data: macros, isError } = useListMacrosQuery();
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const panel = useCloseOutside(onClose);
  const found = (macros ?? []).filter((macro) => contains(macro, search));
  const active = Math.min(at, found.length - 1);
  const pick = (macro: Macro | undefined) => macro && onPick(fill(macro));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = found.length > 0 ? steps[event.key] : undefined;
    if (step) setAt(step(active, found.length));
    else if (event.key === 'Enter') pick(found[active]);
    else if (event.key === 'Escape') onClose();
    else return;
    consume(event);
  };
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label={label}
      className="absolute bottom-full left-0 z-20 mb-1 flex max-h-80 w-96 max-w-full animate-pop flex-col rounded-lg border border-line-strong bg-raised shadow-overlay"
    >
      <input
        autoFocus
        role="combobox"
        aria-label={t('tickets.macros.search_canned_replies')}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={found[active] && `${id}-${active}`}
        placeholder={t('tickets.macros.search_canned_replies')}
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className="h-10 shrink-0 border-b bg-transparent px-3 outline-none touch:text-base"
      />
      <ul role="listbox" id={id} aria-label={label} aria-busy={!macros && !isError} className="min-h-0 flex-1 overflow-y-auto p-1">
        {!macros && !isError && <Skeleton className="m-1 h-10" />}
        {found.map((macro, index) => (
          <Option
            key={macro.id}
            macro={macro}
            filled={fill(macro)}
            id={`${id}-${index}`}
            isActive={index === active}
            onPick={() => pick(macro)}
          />
        ))}
      </ul>
      {isError && <p className="px-3 py-2 text-muted">{t('tickets.macros.couldnt_load_canned_replies')}</p>}
      {macros && found.length === 0 && <NothingFound hasAny={macros.length > 0} />}
      <ManageLink />
    </div>
  );
}
