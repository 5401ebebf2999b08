import { listTickets } from '@tandem/contracts/endpoints';
import { docsPageNames, docsPages } from '@tandem/contracts/values';
import { BookOpen, CircleCheck, Keyboard, Moon, Pencil, Plus, RotateCw, Search, Sun } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMatch, useNavigate } from 'react-router-dom';
import { useTicketChange } from '../features/tickets/use-ticket-change';
import { call } from '../lib/call';
import { messageOf } from '../lib/problem';
import { chooseTheme, useIsDark } from '../lib/theme';
import { StatusMark } from '../lib/ticket-badges';
import { CommandDialog, CommandGroup, CommandItem } from '../ui/CommandDialog';
import { Kbd } from '../ui/Kbd';
import { api } from './api';
import { endpoint } from './endpoint';
import { useNavigationEntries } from './navigation';

/** Debounce: every search is an API call. */
const debounceMs = 250;
const maxResults = 6;

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
  onClose: () => void;
  onShortcuts: () => void;
}

const keys = (names: string[]) => names.map((name) => <Kbd key={name}>{name}</Kbd>);

/** Actions on the ticket whose page is open. */
function TicketCommands({ id, run }: { id: string; run: Run }) {
  const navigate = useNavigate();
  const { setStatus } = useTicketChange(id);
  return (
    <CommandGroup title="This ticket">
      <CommandItem
        value="this ticket: mark as resolved"
        mark={<CircleCheck aria-hidden />}
        onSelect={run(() => void setStatus('resolved'))}
      >
        Mark as Resolved
      </CommandItem>
      <CommandItem value="this ticket: edit" mark={<Pencil aria-hidden />} onSelect={run(() => void navigate(`/tickets/${id}/edit`))}>
        Edit Ticket
      </CommandItem>
    </CommandGroup>
  );
}

function useTicketSearch(wanted: string) {
  const { currentData: found = [], isFetching, isError, error, refetch } = useSearchTicketsQuery(wanted, { skip: wanted.length < 2 });
  return { found, failed: isError && !isFetching, isFetching, error, refetch };
}
type Search = ReturnType<typeof useTicketSearch>;
type Go = (to: string) => () => void;
type Run = (action: () => void) => () => void;

/** The tickets that match the text, and the same search in the ticket list. */
function FoundTickets({ wanted, search, go }: { wanted: string; search: Search; go: Go }) {
  const { found, failed, error, refetch } = search;
  return (
    <CommandGroup title="Tickets" always>
      {failed && (
        <>
          <p role="alert" className="px-2.5 py-1.5 text-red-text">
            Couldn’t search tickets. {messageOf(error, '')}
          </p>
          <CommandItem value={`try again ${wanted}`} mark={<RotateCw aria-hidden />} onSelect={() => void refetch()}>
            Try again
          </CommandItem>
        </>
      )}
      {found.map((ticket) => (
        <CommandItem
          key={ticket.id}
          value={`ticket ${ticket.id}`}
          mark={<StatusMark status={ticket.status} />}
          end={<span className="tabular">{ticket.ticket_number}</span>}
          onSelect={go(`/tickets/${ticket.id}`)}
        >
          {ticket.subject}
        </CommandItem>
      ))}
      <CommandItem value={`search ${wanted}`} mark={<Search aria-hidden />} onSelect={go(`/tickets?search=${encodeURIComponent(wanted)}`)}>
        Search all tickets for “{wanted}”
      </CommandItem>
    </CommandGroup>
  );
}

function ActionCommands({ go, run, onShortcuts }: { go: Go; run: Run; onShortcuts: () => void }) {
  const dark = useIsDark();
  return (
    <CommandGroup title="Actions">
      <CommandItem value="new ticket" mark={<Plus aria-hidden />} end={keys(['c'])} onSelect={go('/tickets/new')}>
        New Ticket
      </CommandItem>
      <CommandItem
        value="switch theme light dark"
        mark={dark ? <Sun aria-hidden /> : <Moon aria-hidden />}
        onSelect={run(() => chooseTheme(dark ? 'light' : 'dark'))}
      >
        {dark ? 'Switch to light' : 'Switch to dark'}
      </CommandItem>
      <CommandItem value="keyboard shortcuts" mark={<Keyboard aria-hidden />} end={keys(['?'])} onSelect={run(onShortcuts)}>
        Keyboard shortcuts
      </CommandItem>
    </CommandGroup>
  );
}

const DocsCommands = ({ go }: { go: Go }) => (
  <CommandGroup title="Documentation">
    {docsPageNames.map((name) => (
      <CommandItem key={name} value={`help: ${docsPages[name].title}`} mark={<BookOpen aria-hidden />} onSelect={go(`/docs/${name}`)}>
        {docsPages[name].title}
      </CommandItem>
    ))}
  </CommandGroup>
);

/** Command palette (Mod+K): pages, tickets, actions and, once the user types, the documentation. */
export function CommandPalette({ onClose, onShortcuts }: CommandPaletteProps) {
  const navigate = useNavigate();
  const entries = useNavigationEntries();
  const ticketId = useMatch('/tickets/:id')?.params.id;
  const [text, setText] = useState('');
  const wanted = useDebounced(text.trim());
  const search = useTicketSearch(wanted);
  const run = (action: () => void) => () => {
    onClose();
    action();
  };
  const go = (to: string) => run(() => void navigate(to));
  return (
    <CommandDialog
      label="Commands"
      placeholder="Go to a page, find a ticket or run a command"
      text={text}
      onText={setText}
      onClose={onClose}
      empty={search.failed || search.found.length > 0 ? null : search.isFetching || text.trim() !== wanted ? 'Searching' : 'Nothing found'}
    >
      {wanted.length > 1 && text.trim() !== '' && <FoundTickets wanted={wanted} search={search} go={go} />}
      {ticketId && ticketId !== 'new' && <TicketCommands id={ticketId} run={run} />}
      <ActionCommands go={go} run={run} onShortcuts={onShortcuts} />
      <CommandGroup title="Go to">
        {entries.map(({ to, label, icon: Icon, keys: chord }) => (
          <CommandItem key={to} value={`go to ${label}`} mark={<Icon aria-hidden />} end={keys(chord)} onSelect={go(to)}>
            {label}
          </CommandItem>
        ))}
      </CommandGroup>
      {wanted.length > 1 && text.trim() !== '' && <DocsCommands go={go} />}
    </CommandDialog>
  );
}
