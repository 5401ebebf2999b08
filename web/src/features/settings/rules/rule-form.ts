import type { CustomField, Rule, RuleAction } from '@tandem/contracts';
import { languageNames, languages, ruleLimits, unknownVariables, type RuleMoment, type RuleTrigger } from '@tandem/contracts/values';
import { conditionFrom, draftFrom, hasErrors, type ConditionDraft } from '../../../app/conditions/condition-form';
import { fieldInputProblem } from '../../../app/custom-fields/FieldInput';
import { t } from '../../../lib/staff-texts';
import { durationOf } from './rule-labels';

export type ActionType = RuleAction['type'];
type ActionOf<Type extends ActionType> = Extract<RuleAction, { type: Type }>;
export type EventTrigger = Exclude<RuleTrigger, 'time_passed'>;

/** One row of "Then". `key` identifies the row while others are added and removed. */
export interface ActionRow {
  key: number;
  action: RuleAction;
}
export interface RuleDraft {
  name: string;
  startsBy: 'event' | 'time';
  triggers: EventTrigger[];
  since: RuleMoment;
  /** As typed, because an empty field is not zero. */
  amount: string;
  unit: 'hours' | 'days';
  /** Null for a condition that only the API can change. */
  condition: ConditionDraft | null;
  actions: ActionRow[];
  stops: boolean;
  runs: Rule['runs'];
}
/** By field; the error of an action is at `action <key>`. */
export type RuleErrors = Partial<Record<string, string>>;
export const actionPath = (key: number): string => `action ${key}`;

let counter = 0;
export const actionRow = (action: RuleAction): ActionRow => ({ key: (counter += 1), action });

/** The initial values of each type of action. Those that the user must choose are empty. */
const initial: { [Type in ActionType]: ActionOf<Type> } = {
  assign: { type: 'assign', to: 'round_robin' },
  set_status: { type: 'set_status', status: 'in_progress' },
  set_priority: { type: 'set_priority', priority: 'high' },
  set_category: { type: 'set_category', category: '' },
  set_field: { type: 'set_field', key: '', value: null },
  add_tags: { type: 'add_tags', tags: [] },
  remove_tags: { type: 'remove_tags', tags: [] },
  add_watchers: { type: 'add_watchers', user_ids: [] },
  remove_watchers: { type: 'remove_watchers', user_ids: [] },
  send_reply: { type: 'send_reply', content: '', translations: {} },
  add_note: { type: 'add_note', content: '' },
  send_to_webhook: { type: 'send_to_webhook', endpoint_id: '' },
};
export const actionTypes = Object.keys(initial) as ActionType[];
export const newAction = (type: ActionType): RuleAction => initial[type];

export type RuleFields = Pick<Rule, 'name' | 'triggers' | 'time' | 'condition' | 'actions' | 'stops' | 'runs'>;
export const blankRule: RuleFields = {
  name: '',
  triggers: ['ticket_created'],
  time: null,
  condition: { all: [] },
  actions: [initial.assign],
  stops: false,
  runs: 'every_time',
};

/** `{ all: [] }` matches every ticket. */
export const isEveryTicket = (condition: Rule['condition']): boolean => 'all' in condition && condition.all.length === 0;

export function draftOf({ name, triggers, time, condition, actions, stops, runs }: RuleFields): RuleDraft {
  const { count, unit } = durationOf(time?.hours ?? 24);
  return {
    name,
    startsBy: time ? 'time' : 'event',
    triggers: triggers.filter((trigger) => trigger !== 'time_passed'),
    since: time?.since ?? 'created',
    amount: String(count),
    unit,
    // The editor shows an empty group as "every ticket".
    condition: draftFrom(isEveryTicket(condition) ? null : condition),
    actions: actions.map(actionRow),
    stops,
    runs,
  };
}

const hoursOf = ({ amount, unit }: RuleDraft): number => Number(amount.trim()) * (unit === 'days' ? 24 : 1);

/** The rule as the API expects it. `known` has the condition that the form does not show. */
export const ruleOf = (draft: RuleDraft, known: Pick<Rule, 'condition'>): RuleFields => ({
  name: draft.name.trim(),
  triggers: draft.startsBy === 'time' ? ['time_passed'] : draft.triggers,
  time: draft.startsBy === 'time' ? { since: draft.since, hours: hoursOf(draft) } : null,
  condition: draft.condition ? (conditionFrom(draft.condition, 'rule') ?? { all: [] }) : known.condition,
  actions: draft.actions.map(({ action }) => action),
  stops: draft.stops,
  runs: draft.runs,
});

function textError(content: string): string | undefined {
  if (content.trim() === '') return t('settings.rules.enter_text');
  const unknown = unknownVariables(content)[0];
  return unknown === undefined ? undefined : t('app.unknown_variable', { name: unknown });
}

/** The form shows one language at a time, so the message names it. */
function translationError({ translations }: ActionOf<'send_reply'>): string | undefined {
  for (const language of languages) {
    const text = translations[language];
    const error = text === undefined ? undefined : textError(text);
    if (error) return t('settings.rules.error_in_language', { language: languageNames[language], error });
  }
  return undefined;
}

function fieldError({ key, value }: ActionOf<'set_field'>, fields: readonly CustomField[]): string | undefined {
  if (key === '') return t('settings.rules.choose_field');
  const field = fields.find((each) => each.key === key);
  return field && fieldInputProblem(field, value);
}

function actionError(action: RuleAction, fields: readonly CustomField[]): string | undefined {
  switch (action.type) {
    case 'add_tags':
    case 'remove_tags':
      return action.tags.length === 0 ? t('settings.rules.enter_tag') : undefined;
    case 'add_watchers':
    case 'remove_watchers':
      return action.user_ids.length === 0 ? t('settings.rules.choose_member') : undefined;
    case 'add_note':
      return textError(action.content);
    case 'send_reply':
      return textError(action.content) ?? translationError(action);
    case 'assign':
      return action.to === '' ? t('settings.rules.choose_member') : undefined;
    case 'set_category':
      return action.category?.trim() === '' ? t('settings.rules.enter_category') : undefined;
    case 'send_to_webhook':
      return action.endpoint_id === '' ? t('settings.rules.choose_webhook') : undefined;
    case 'set_field':
      return fieldError(action, fields);
    default:
      return undefined;
  }
}

function amountError(draft: RuleDraft): string | undefined {
  if (!/^\d{1,5}$/.test(draft.amount.trim()) || Number(draft.amount) < 1) return t('settings.rules.enter_whole_number');
  return hoursOf(draft) > ruleLimits.hours ? t('settings.rules.at_most_days', { days: Math.floor(ruleLimits.hours / 24) }) : undefined;
}

/** The problems of the form. The rows of the condition show theirs themselves. */
export function ruleErrors(draft: RuleDraft, fields: readonly CustomField[]): RuleErrors {
  const found: RuleErrors = {
    name: draft.name.trim() === '' ? t('settings.rules.enter_name') : undefined,
    triggers: draft.startsBy === 'event' && draft.triggers.length === 0 ? t('settings.rules.choose_event') : undefined,
    amount: draft.startsBy === 'time' ? amountError(draft) : undefined,
    condition: draft.condition && hasErrors(draft.condition) ? t('settings.rules.complete_conditions') : undefined,
    actions: draft.actions.length === 0 ? t('settings.rules.add_at_least_one_action') : undefined,
    ...Object.fromEntries(draft.actions.map(({ key, action }) => [actionPath(key), actionError(action, fields)])),
  };
  return Object.fromEntries(Object.entries(found).filter(([, message]) => message !== undefined));
}

/** The server's problems at the fields of the form: `actions.1.content` belongs to the second action. */
export function errorsAt(draft: RuleDraft, problems: readonly { path: string; message: string }[]): RuleErrors {
  return Object.fromEntries(
    problems.map(({ path, message }) => {
      const [first = '', second] = path.split('.');
      const row = first === 'actions' && second !== undefined ? draft.actions[Number(second)] : undefined;
      if (row) return [actionPath(row.key), message];
      return [first === 'time' ? 'amount' : first, message];
    }),
  );
}
