import { useEffect, useMemo, useRef, useState } from 'react';
import { announce } from '../../lib/announce';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { offerUndo } from '../../lib/undo';

/** Moving an item by several places with the keyboard is one change. */
const saveAfterMs = 600;

export interface OrderOptions<Item> {
  /** Also those that are not shown because the user has just deleted them: the server expects all of them. */
  all: readonly Item[];
  nameOf: (item: Item) => string;
  save: (ids: string[]) => PromiseLike<{ error?: unknown }>;
  /** The title of the toast. */
  savedText: string;
  failedText: string;
}
interface Move {
  ids: string[];
  /** The text of the toast. */
  text: string;
}

/** The items in the order that the user sees. A changed order is saved after a pause, and when the user leaves the page or closes the tab. */
export function useOrder<Item extends { id: string }>(items: Item[], options: OrderOptions<Item>) {
  const [moved, setMoved] = useState<string[]>();
  const pending = useRef<Move>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shown = useMemo(
    () =>
      moved
        ? moved.flatMap((id) => items.find((item) => item.id === id) ?? []).concat(items.filter(({ id }) => !moved.includes(id)))
        : items,
    [moved, items],
  );
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);

  const save = () => {
    clearTimeout(timer.current);
    const move = pending.current;
    pending.current = undefined;
    if (!move) return;
    const { all, save: send, savedText, failedText } = options;
    const before = all.map(({ id }) => id);
    const after = [...move.ids, ...before.filter((id) => !move.ids.includes(id))];
    const undo = () => void send(before).then(({ error }) => error && notify.problem(error, failedText));
    void send(after).then(({ error }) => {
      if (!pending.current) setMoved(undefined);
      if (error) notify.problem(error, failedText);
      else offerUndo(savedText, move.text, undo);
    });
  };
  const latestSave = useRef(save);
  useEffect(() => {
    latestSave.current = save;
  });
  useEffect(() => {
    const saveNow = () => latestSave.current();
    addEventListener('pagehide', saveNow);
    return () => {
      removeEventListener('pagehide', saveNow);
      saveNow();
    };
  }, []);

  const move = (id: string, to: number) => {
    const item = shown.find((each) => each.id === id);
    if (!item || to < 0 || to >= ids.length) return;
    const next = ids.filter((each) => each !== id);
    next.splice(to, 0, id);
    const text = t('settings.name_moved_to', { name: options.nameOf(item), position: to + 1, count: ids.length });
    setMoved(next);
    announce(text);
    pending.current = { ids: next, text };
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latestSave.current(), saveAfterMs);
  };
  return { shown, ids, move };
}
