import { ticketLimits } from '@tandem/contracts/values';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { cn } from '../../../lib/cn';
import { t } from '../../../lib/staff-texts';
import { Kbd } from '../../../ui/Kbd';

/** Long enough to continue typing, short enough to feel immediate. */
const searchPauseMs = 180;

/** The search box, synchronized with the URL in both directions. */
export function TicketSearch({ onSearch, className }: { onSearch: (search: string) => void; className?: string }) {
  const [params] = useSearchParams();
  const inAddress = params.get('search') ?? '';
  const [text, setText] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const { state, key } = useLocation() as { state: unknown; key: string };
  // The URL changed through back, a link or 'Clear': update the box, unless the typed text caused the change.
  if (seen !== inAddress) {
    setSeen(inAddress);
    if (text.trim() !== inAddress) setText(inAddress);
  }
  useEffect(() => {
    if ((state as { focus?: string } | null)?.focus === 'search') input.current?.focus();
  }, [state, key]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (value: string, pauseMs = searchPauseMs) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(value.trim()), pauseMs);
  };
  return (
    <div role="search" className={cn('relative w-full max-w-md min-w-0', className)}>
      <Search className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-faint" aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label={t('tickets.list.search_tickets')}
        placeholder={t('tickets.list.search_tickets')}
        maxLength={ticketLimits.search}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') change('', 0);
          else if (event.key === 'Escape') event.currentTarget.blur();
          else if (event.key === 'Enter') change(text, 0);
        }}
        className="peer h-8 w-full rounded-md border border-transparent bg-hover pr-9 pl-8 hover:border-line-strong focus-visible:border-focus focus-visible:bg-surface focus-visible:outline-1 focus-visible:outline-offset-0 touch:h-10 touch:text-base [&::-webkit-search-cancel-button]:hidden"
      />
      {text === '' ? (
        <span aria-hidden className="pointer-events-none absolute top-1/2 right-2 flex -translate-y-1/2 peer-focus:hidden touch:hidden">
          <Kbd>/</Kbd>
        </span>
      ) : (
        <button
          type="button"
          aria-label={t('tickets.list.clear_search')}
          onClick={() => change('', 0)}
          className="absolute inset-y-0 right-0 grid w-8 place-items-center rounded-md text-muted hover:text-ink"
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  );
}
