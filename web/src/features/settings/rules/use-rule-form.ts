import type { Rule } from '@tandem/contracts';
import { useState } from 'react';
import { useCustomFields } from '../../../app/custom-fields/custom-fields.api';
import { createExternalStore } from '../../../lib/external-store';
import { isSame } from '../../../lib/is-same';
import { fieldProblems } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { draftOf, errorsAt, ruleErrors, ruleOf, type RuleDraft, type RuleErrors, type RuleFields } from './rule-form';

/** A draft, and the saved rule that it changes. */
interface Unsaved {
  draft: RuleDraft;
  base: RuleFields;
}
/** Changed rules that have not been saved, by the id of the rule or the template of a new one. */
const unsaved = createExternalStore<Partial<Record<string, Unsaved>>>(() => ({}));

/** `inputs`: the members of the draft that make up the fields. */
const parts: { label: string; fields: (keyof RuleFields)[]; inputs: (keyof RuleDraft)[] }[] = [
  { label: t('settings.rules.name'), fields: ['name'], inputs: ['name'] },
  { label: t('settings.rules.when'), fields: ['triggers', 'time'], inputs: ['startsBy', 'triggers', 'since', 'amount', 'unit'] },
  { label: t('settings.rules.if'), fields: ['condition'], inputs: ['condition'] },
  { label: t('settings.rules.then'), fields: ['actions'], inputs: ['actions'] },
  { label: t('settings.rules.options'), fields: ['stops', 'runs'], inputs: ['stops', 'runs'] },
];

const changedPartsOf = (rule: RuleFields, base: RuleFields) =>
  parts.filter(({ fields }) => fields.some((field) => !isSame(rule[field], base[field])));

/** The parts that the user has changed, on the rule as it is now: another admin may have changed the others. */
function onto(fresh: RuleDraft, { draft, base }: Unsaved): RuleDraft {
  const inputs = changedPartsOf(ruleOf(draft, base), base).flatMap((part) => part.inputs);
  return { ...fresh, ...Object.fromEntries(inputs.map((input) => [input, draft[input]])) };
}

/** The form of a rule. Changes are kept while the user visits other pages. `key` identifies the rule. */
export function useRuleForm(key: string, saved: RuleFields) {
  const fields = useCustomFields();
  const savedText = JSON.stringify(saved);
  // Saving, here or by another admin, replaces what an unchanged form shows.
  const [initial, setInitial] = useState(() => ({ savedText, draft: draftOf(saved) }));
  if (initial.savedText !== savedText) setInitial({ savedText, draft: draftOf(saved) });
  const changed = unsaved.use((drafts) => drafts[key]);
  const draft = !changed ? initial.draft : isSame(changed.base, saved) ? changed.draft : onto(initial.draft, changed);
  const [errors, setErrors] = useState<RuleErrors>({});
  const [isSubmitted, setIsSubmitted] = useState(false);
  const rule = ruleOf(draft, saved);
  const changedParts = changedPartsOf(rule, saved);
  const forget = () => unsaved.set(Object.fromEntries(Object.entries(unsaved.get()).filter(([each]) => each !== key)));
  /** Shows the errors, and returns the rule if there are none. A test needs no name. */
  const check = ({ isTest = false } = {}): RuleFields | undefined => {
    setIsSubmitted(true);
    const { name, ...others } = ruleErrors(draft, fields);
    const found = name === undefined || isTest ? others : { name, ...others };
    setErrors(found);
    if (Object.keys(found).length > 0) return undefined;
    return { ...rule, name: rule.name || t('settings.rules.untitled') };
  };
  return {
    draft,
    errors,
    showsRowErrors: isSubmitted,
    /** The labels of the changed parts. */
    changed: changedParts.map(({ label }) => label),
    changedFields: changedParts.flatMap(({ fields }) => fields),
    rule,
    set: (part: Partial<RuleDraft>) => {
      unsaved.set({ ...unsaved.get(), [key]: { draft: { ...draft, ...part }, base: saved } });
      setErrors({});
    },
    check,
    /** Shows the server's problems at their fields. Returns whether there are any. */
    refuse: (error: unknown): boolean => {
      const problems = errorsAt(draft, fieldProblems(error));
      setErrors(problems);
      return Object.keys(problems).length > 0;
    },
    forget: () => {
      forget();
      setErrors({});
      setIsSubmitted(false);
    },
  };
}
export type RuleFormState = ReturnType<typeof useRuleForm>;

export const fieldsOf = ({ name, triggers, time, condition, actions, stops, runs }: Rule): RuleFields => ({
  name,
  triggers,
  time,
  condition,
  actions,
  stops,
  runs,
});
