import type { Rule } from '@tandem/contracts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { announce } from '../../../lib/announce';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { offerUndo } from '../../../lib/undo';
import { useListRulesQuery, useOrderRulesMutation } from './rules.api';

/** Moving a rule by several places with the keyboard is one change. */
const saveAfterMs = 600;

interface Move {
  ids: string[];
  /** The text of the toast. */
  text: string;
}

/** The rules in the order that the user sees. A changed order is saved after a pause, and when the user leaves the page or closes the tab. */
export function useRuleOrder(rules: Rule[]) {
  const [reorder] = useOrderRulesMutation();
  const { data: all = rules } = useListRulesQuery();
  const [moved, setMoved] = useState<string[]>();
  const pending = useRef<Move>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shown = useMemo(
    () =>
      moved
        ? moved.flatMap((id) => rules.find((rule) => rule.id === id) ?? []).concat(rules.filter(({ id }) => !moved.includes(id)))
        : rules,
    [moved, rules],
  );
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);

  const save = () => {
    clearTimeout(timer.current);
    const move = pending.current;
    pending.current = undefined;
    if (!move) return;
    // With the rules that are not shown because the user has just deleted them: the server expects all of them.
    const before = all.map(({ id }) => id);
    const after = [...move.ids, ...before.filter((id) => !move.ids.includes(id))];
    const undo = () => void reorder(before).then(({ error }) => error && notify.problem(error, t('settings.rules.couldnt_reorder_rules')));
    void reorder(after).then(({ error }) => {
      if (!pending.current) setMoved(undefined);
      if (error) notify.problem(error, t('settings.rules.couldnt_reorder_rules'));
      else offerUndo(t('settings.rules.rules_reordered'), move.text, undo);
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
    const next = ids.filter((each) => each !== id);
    next.splice(to, 0, id);
    const name = shown.find((rule) => rule.id === id)?.name ?? '';
    const text = t('settings.rules.name_moved_to', { name, position: to + 1, count: ids.length });
    setMoved(next);
    announce(text);
    pending.current = { ids: next, text };
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latestSave.current(), saveAfterMs);
  };
  return { shown, ids, move };
}
