import type { Rule } from '@tandem/contracts';
import { createExternalStore } from '../../../lib/external-store';
import { notify } from '../../../lib/notify';
import { onSignOut } from '../../../lib/session-cleanup';
import { t } from '../../../lib/staff-texts';
import { offerUndo } from '../../../lib/undo';
import { useDeleteRuleMutation, useUpdateRuleMutation } from './rules.api';

/** The deleted rules, which are not shown. */
const removed = createExternalStore<readonly string[]>(() => []);
/** Deletes the rules that can still be restored. */
const pending = new Map<string, () => void>();

function finish(): void {
  for (const remove of [...pending.values()]) remove();
}
onSignOut({ finish, drop: () => pending.clear() });
addEventListener('pagehide', finish);

const show = (id: string) => removed.set(removed.get().filter((each) => each !== id));

/** The rules without those that the user has deleted. */
export const useShownRules = (rules: Rule[] | undefined): Rule[] | undefined => {
  const hidden = removed.use();
  return rules?.filter(({ id }) => !hidden.includes(id));
};

/**
 * Deletes a rule with an offer to undo. Until the offer ends, the rule is only turned off: one that is created again has another id, so it has
 * no runs, and one that acts once per ticket would act again.
 */
export function useRuleRemoval(): (rule: Rule) => Promise<void> {
  const [update] = useUpdateRuleMutation();
  const [remove] = useDeleteRuleMutation();
  return async ({ id, name, is_active }) => {
    removed.set([...removed.get(), id]);
    const failed = (error: unknown) => {
      show(id);
      notify.problem(error, t('settings.rules.couldnt_delete_rule'));
    };
    const { error } = is_active ? await update({ id, changes: { is_active: false } }) : {};
    if (error) return failed(error);
    const removeNow = () => {
      if (pending.delete(id)) void remove(id).then((answer) => answer.error && failed(answer.error));
    };
    const undo = () => {
      pending.delete(id);
      show(id);
      if (!is_active) return;
      void update({ id, changes: { is_active }, keepalive: true }).then((answer) => {
        if (answer.error) notify.problem(answer.error, t('settings.rules.couldnt_restore_rule'));
      });
    };
    pending.set(id, removeNow);
    offerUndo(t('settings.rules.rule_deleted'), name, undo, removeNow);
  };
}
