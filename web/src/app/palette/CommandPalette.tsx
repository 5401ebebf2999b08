import { listTickets } from '@tandem/contracts/endpoints';
import { Book, Keyboard, Moon, Plus, RotateCw, Search, Sun, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMatch, useNavigate } from 'react-router-dom';
import { useReadTicketQuery } from '../../features/tickets/tickets.api';
import { call } from '../../lib/call';
import { hasAction, runAction } from '../../lib/keyboard';
import { messageOf } from '../../lib/problem';
import { useRecentTickets, type RecentTicket } from '../../lib/recent-tickets';
import { t } from '../../lib/staff-texts';
import { chooseTheme, useIsDark } from '../../lib/theme';
import { StatusMark } from '../../lib/ticket-badges';
import { CommandDialog, CommandGroup, CommandItem } from '../../ui/CommandDialog';
import { Kbd } from '../../ui/Kbd';
import { api } from '../api';
import { endpoint } from '../endpoint';
import { useNavigationEntries } from '../navigation';
import { matchesText, useKnownTickets } from './known-tickets';
import { paletteScore } from './palette-filter';
import { CustomerCommands, DocsCommands, MemberCommands, SettingsCommands, ViewCommands } from './PlaceCommands';
import type { Go, Run } from './run';
import { TicketCommands } from './TicketCommands';

/** Debounce: every search is an API call. */
const debounceMs = 250;
const maxResults = 6;
const maxRecent = 5;
/** The dialog returns the focus after it has closed; an action that moves the focus must run after that. */
const afterCloseMs = 50;

const { useSearchTicketsQuery } = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /** Finds tickets by number, or by the same search as the ticket list. */
    searchTickets: build.query({
      ...endpoint((search: string) => call(listTickets, { query: { search, limit: maxResults } })),
      keepUnusedDataFor: 30,
    }),
  }),
});

function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface CommandPaletteProps {
  typed: string;
  onType: (text: string) => void;
  onClose: () => void;
  onShortcuts: () => void;
}

const keys = (names: string[]) => names.map((name) => <Kbd key={name}>{name}</Kbd>);

/** Tickets that this page has loaded match immediately, the server's results follow. */
function useTicketSearch(text: string) {
  const wanted = useDebounced(text);
  const known = useKnownTickets();
  const { currentData = [], isFetching, isError, error, refetch } = useSearchTicketsQuery(wanted, { skip: wanted.length < 2 });
  const isShort = text.length < 2;
  const local = isShort ? [] : known.filter((ticket) => matchesText(ticket, text));
  const server = isShort || wanted !== text ? [] : currentData;
  const found = [...new Map<string, RecentTicket>([...local, ...server].map((ticket) => [ticket.id, ticket])).values()].slice(
    0,
    maxResults,
  );
  const failed = isError && !isFetching && !isShort;
  return { found, failed, isSearching: !isShort && (isFetching || wanted !== text), error, refetch };
}
type TicketSearch = ReturnType<typeof useTicketSearch>;

const TicketItem = ({ ticket, go }: { ticket: RecentTicket; go: Go }) => (
  <CommandItem
    value={`ticket ${ticket.id}`}
    mark={<StatusMark status={ticket.status} />}
    end={<span className="tabular">{ticket.ticket_number}</span>}
    onSelect={go(`/tickets/${ticket.id}`)}
  >
    {ticket.subject}
  </CommandItem>
);

/** The tickets that match the text. */
function FoundTickets({ text, search, go }: { text: string; search: TicketSearch; go: Go }) {
  const { found, failed, error, refetch } = search;
  return (
    <CommandGroup title={t('app.palette.tickets')}>
      {found.map((ticket) => (
        <TicketItem key={ticket.id} ticket={ticket} go={go} />
      ))}
      {failed && (
        <>
          <p role="alert" className="px-2.5 py-1.5 text-red-text">
            {t('app.palette.couldnt_search_tickets', { messageOf: messageOf(error, '') })}
          </p>
          <CommandItem value={`try again ${text}`} mark={<RotateCw aria-hidden />} onSelect={() => void refetch()}>
            {t('app.palette.try_again')}
          </CommandItem>
        </>
      )}
    </CommandGroup>
  );
}

function RecentTickets({ openId, go }: { openId: string | undefined; go: Go }) {
  const others = useRecentTickets().filter(({ id }) => id !== openId);
  if (others.length === 0) return null;
  return (
    <CommandGroup title={t('app.palette.recent_tickets')}>
      {others.slice(0, maxRecent).map((ticket) => (
        <TicketItem key={ticket.id} ticket={ticket} go={go} />
      ))}
    </CommandGroup>
  );
}

function ActionCommands({ go, run, onShortcuts }: { go: Go; run: Run; onShortcuts: () => void }) {
  const dark = useIsDark();
  return (
    <CommandGroup title={t('app.palette.actions')}>
      <CommandItem value="new ticket" mark={<Plus aria-hidden />} end={keys(['c'])} onSelect={go('/tickets/new')}>
        {t('app.palette.new_ticket')}
      </CommandItem>
      <CommandItem value="new article" mark={<Book aria-hidden />} onSelect={go('/articles/new')}>
        {t('app.palette.new_article')}
      </CommandItem>
      {hasAction('z') && (
        <CommandItem value="undo the last change" mark={<Undo2 aria-hidden />} end={keys(['z'])} onSelect={run(() => runAction('z'))}>
          {t('app.palette.undo_last_change')}
        </CommandItem>
      )}
      <CommandItem
        value="switch theme light dark"
        mark={dark ? <Sun aria-hidden /> : <Moon aria-hidden />}
        onSelect={run(() => chooseTheme(dark ? 'light' : 'dark'))}
      >
        {dark ? t('app.palette.switch_to_light') : t('app.palette.switch_to_dark')}
      </CommandItem>
      <CommandItem value="keyboard shortcuts" mark={<Keyboard aria-hidden />} end={keys(['?'])} onSelect={run(onShortcuts)}>
        {t('app.palette.keyboard_shortcuts')}
      </CommandItem>
    </CommandGroup>
  );
}

/**
 * Command palette (Mod+K): the actions of the open ticket, recent tickets and pages; once the user types, also tickets, customers, views,
 * members, settings and the documentation.
 */
export function CommandPalette({ typed, onType, onClose, onShortcuts }: CommandPaletteProps) {
  const navigate = useNavigate();
  const entries = useNavigationEntries();
  const matched = useMatch('/tickets/:id')?.params.id;
  const openId = matched === 'new' ? undefined : matched;
  const { currentData: ticket } = useReadTicketQuery(openId ?? '', { skip: openId === undefined });
  const text = typed.trim();
  const search = useTicketSearch(text);
  const run = (action: () => void) => () => {
    onClose();
    setTimeout(action, afterCloseMs);
  };
  const go = (to: string) => () => {
    onClose();
    void navigate(to);
  };
  const isTyping = text !== '';
  const isSearch = text.length > 1;
  return (
    <CommandDialog
      label={t('app.palette.commands')}
      placeholder={t('app.palette.search_or_jump_to')}
      text={typed}
      onText={onType}
      onClose={onClose}
      filter={paletteScore}
      empty={search.failed || search.found.length > 0 ? null : search.isSearching ? t('app.palette.searching') : t('app.palette.none')}
    >
      {isSearch && (search.found.length > 0 || search.failed) && <FoundTickets text={text} search={search} go={go} />}
      {isSearch && <CustomerCommands tickets={search.found} text={text} go={go} />}
      {ticket && <TicketCommands ticket={ticket} isTyping={isTyping} run={run} go={go} />}
      {!isTyping && <RecentTickets openId={openId} go={go} />}
      <ActionCommands go={go} run={run} onShortcuts={onShortcuts} />
      <CommandGroup title={t('app.palette.go_to')}>
        {entries.map(({ to, label, icon: Icon, keys: chord }) => (
          <CommandItem key={to} value={`go to ${label}`} mark={<Icon aria-hidden />} end={keys(chord)} onSelect={go(to)}>
            {label}
          </CommandItem>
        ))}
      </CommandGroup>
      {isTyping && (
        <>
          <ViewCommands go={go} />
          <MemberCommands go={go} />
          <SettingsCommands go={go} />
          <DocsCommands text={text} go={go} />
        </>
      )}
      {/* Hidden while tickets are being searched: it would be the only choice, and Enter would take it before they arrive. */}
      {isSearch && !search.isSearching && (
        <CommandGroup title={t('app.palette.ticket_list')}>
          <CommandItem value={`search ${text}`} mark={<Search aria-hidden />} onSelect={go(`/tickets?search=${encodeURIComponent(text)}`)}>
            {t('app.palette.search_all_tickets_for_text', { text })}
          </CommandItem>
        </CommandGroup>
      )}
    </CommandDialog>
  );
}
