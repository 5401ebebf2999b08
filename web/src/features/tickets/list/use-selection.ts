import type { TicketSummary } from '@tandem/contracts';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';

export interface Selection {
  ids: string[];
  has: (id: string) => boolean;
  /** With `range`, all rows from the last toggled one to this one get this row's new state. */
  toggle: (id: string, range?: boolean) => void;
  all: () => void;
  clear: () => void;
}

/** The selected rows. Rows that leave the list are deselected, and a different list starts with no selection. */
export function useSelection(tickets: readonly TicketSummary[], listKey: string): Selection {
  const [{ key, chosen }, setState] = useState<{ key: string; chosen: ReadonlySet<string> }>(() => ({ key: listKey, chosen: new Set() }));
  const rows = useRef(tickets);
  const last = useRef<string>(undefined);
  useLayoutEffect(() => {
    rows.current = tickets;
  });
  const set = useCallback(
    (change: (chosen: Set<string>) => void) =>
      setState((state) => {
        const next = new Set(state.key === listKey ? state.chosen : []);
        change(next);
        return { key: listKey, chosen: next };
      }),
    [listKey],
  );
  const toggle = useCallback(
    (id: string, range = false) => {
      const ids = rows.current.map((ticket) => ticket.id);
      const from = range && last.current ? ids.indexOf(last.current) : -1;
      const to = ids.indexOf(id);
      const between = from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
      last.current = id;
      set((next) => {
        const on = !next.has(id);
        for (const each of between)
          if (on) next.add(each);
          else next.delete(each);
      });
    },
    [set],
  );
  const isSame = key === listKey;
  const ids = useMemo(
    () => (isSame && chosen.size > 0 ? tickets.filter((ticket) => chosen.has(ticket.id)).map((ticket) => ticket.id) : []),
    [isSame, chosen, tickets],
  );
  return {
    ids,
    has: (id) => isSame && chosen.has(id),
    toggle,
    all: useCallback(() => set((next) => rows.current.forEach((ticket) => next.add(ticket.id))), [set]),
    clear: useCallback(() => set((next) => next.clear()), [set]),
  };
}
