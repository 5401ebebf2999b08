import type { Rule } from '@tandem/contracts';
import { ArrowLeft } from 'lucide-react';
import { useId, useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useFocusFirstError } from '../../../lib/focus-error';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { keyPerText } from '../../../lib/unique';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { SaveBar } from '../../../ui/SaveBar';
import { Switch } from '../../../ui/Switch';
import type { RuleNames } from './rule-labels';
import type { RuleFields } from './rule-form';
import { RuleForm } from './RuleForm';
import { RuleMenu, type RuleActions } from './RuleRow';
import { RuleRuns } from './RuleRuns';
import { RuleSentence } from './RuleSentence';
import { RuleActivity, RuleProblem } from './RuleState';
import { RuleTest } from './RuleTest';
import { useCreateRuleMutation, useUpdateRuleMutation } from './rules.api';
import { listAddress, ruleAddress } from './use-rules-address';
import { fieldsOf, useRuleForm, type RuleFormState } from './use-rule-form';

const back = (
  <Link to={listAddress} className="flex items-center gap-1.5 self-start text-muted hover:text-ink">
    <ArrowLeft className="size-4" aria-hidden />
    {t('settings.rules.all_rules')}
  </Link>
);

/** Reports a refused rule at its fields, else in a toast. */
function report(form: RuleFormState, error: unknown, sentence: string): void {
  if (!form.refuse(error)) notify.problem(error, sentence);
}

interface NewRulePageProps {
  /** Identifies the unsaved rule: one per template. */
  formKey: string;
  initial: RuleFields;
  names: RuleNames;
}

/** A rule that does not exist yet. */
export function NewRulePage({ formKey, initial, names }: NewRulePageProps) {
  const id = useId();
  const navigate = useNavigate();
  const form = useRuleForm(formKey, initial);
  const [create, { isLoading }] = useCreateRuleMutation();
  const [keyOf] = useState(keyPerText);
  useFocusFirstError(id, form.errors);
  const save = async (is_active: boolean) => {
    const rule = form.check();
    if (!rule) return;
    const body = { ...rule, is_active };
    const { data, error } = await create({ rule: body, key: keyOf(JSON.stringify(body)) });
    if (!data) return report(form, error, t('settings.rules.couldnt_create_rule'));
    form.forget();
    notify.success(is_active ? t('settings.rules.rule_turned_on') : t('settings.rules.rule_saved_off'));
    void navigate(ruleAddress(data.id), { replace: true });
  };
  return (
    <form
      id={id}
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void save(false);
      }}
    >
      {back}
      <h2 className="-mb-2 text-md font-semibold">{t('settings.rules.new_rule')}</h2>
      <RuleForm form={form} names={names} showsSentence />
      <RuleTest form={form} names={names} />
      <div data-above-toasts="" className="sticky bottom-0 -mb-3 flex flex-wrap items-center gap-2 border-t bg-canvas py-3">
        <Button variant="primary" busy={isLoading} onClick={() => void save(true)}>
          {t('settings.rules.create_and_turn_on')}
        </Button>
        <Button type="submit" busy={isLoading}>
          {t('settings.rules.create_turned_off')}
        </Button>
        <Button variant="ghost" className="max-sm:px-2" asChild>
          <Link to={listAddress} onClick={form.forget}>
            {t('settings.rules.cancel')}
          </Link>
        </Button>
      </div>
    </form>
  );
}

interface RulePageProps {
  rule: Rule;
  names: RuleNames;
  actions: RuleActions;
}

function Head({ rule, names, actions }: Omit<RulePageProps, 'actions'> & { actions: RuleActions | undefined }) {
  return (
    <Card aria-label={rule.name} className="flex flex-col gap-2 p-4">
      <div className="flex items-start gap-3">
        <h2 className="min-w-0 flex-1 text-md font-semibold [overflow-wrap:anywhere]" dir="auto">
          {rule.name}
        </h2>
        {actions ? (
          <div className="flex shrink-0 items-center gap-2">
            <Switch
              label={rule.is_active ? t('settings.rules.on') : t('settings.rules.off')}
              checked={rule.is_active}
              onChange={(isActive) => actions.toggle(rule, isActive)}
            />
            <RuleMenu rule={rule} actions={actions} />
          </div>
        ) : (
          <span className="text-muted">{rule.is_active ? t('settings.rules.on') : t('settings.rules.off')}</span>
        )}
      </div>
      <p className="text-pretty [overflow-wrap:anywhere] text-muted">
        <RuleSentence rule={rule} names={names} />
      </p>
      <RuleActivity rule={rule} />
      <RuleProblem rule={rule} />
    </Card>
  );
}

/** A rule for managers, who only read. */
export const ReadOnlyRulePage = ({ rule, names }: Omit<RulePageProps, 'actions'>) => (
  <div className="flex flex-col gap-5">
    {back}
    <Head rule={rule} names={names} actions={undefined} />
    <RuleRuns rule={rule} names={names} />
  </div>
);

/** One rule: its state, its fields, a test, and its runs. */
export function RulePage({ rule, names, actions }: RulePageProps) {
  const id = useId();
  const form = useRuleForm(rule.id, fieldsOf(rule));
  const [update, { isLoading }] = useUpdateRuleMutation();
  useFocusFirstError(id, form.errors);
  const save = async () => {
    const fields = form.check();
    if (!fields) return;
    const changes = Object.fromEntries(form.changedFields.map((field) => [field, fields[field]]));
    const { error } = await update({ id: rule.id, changes });
    if (error) return report(form, error, t('settings.rules.couldnt_save_rule'));
    form.forget();
    notify.success(t('settings.rules.rule_saved'));
  };
  return (
    <div className="flex flex-col gap-5">
      {back}
      <Head rule={rule} names={names} actions={actions} />
      <form
        id={id}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <RuleForm form={form} names={names} showsSentence={form.changed.length > 0} />
        <RuleTest form={form} names={names} />
        <SaveBar changed={form.changed} busy={isLoading} onDiscard={form.forget} isBelowCards />
      </form>
      <RuleRuns rule={rule} names={names} />
    </div>
  );
}
