import type { RuleAction } from '@tandem/contracts';
import {
  macroVariables,
  ticketLimits,
  type Language,
  type MacroVariable,
  type TicketPriority,
  type TicketStatus,
} from '@tandem/contracts/values';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useSession } from '../../../app/api';
import { TextLanguageField } from '../../../app/TextLanguageField';
import { TicketTagInput } from '../../../app/TicketTagInput';
import { VariableTextField } from '../../../app/VariableTextField';
import { memberOptions } from '../../../lib/member-options';
import { t } from '../../../lib/staff-texts';
import { priorityOptions, statusOptions } from '../../../lib/ticket-badges';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { MultiSelect } from '../../../ui/MultiSelect';
import { Select } from '../../../ui/Select';
import { useReadLanguagesQuery } from '../languages/languages.api';
import { endpointName } from '../webhooks/endpoint-labels';
import type { RuleNames } from './rule-labels';
import { SetField } from './SetField';

interface ValueProps<Type extends RuleAction['type'] = RuleAction['type']> {
  action: Extract<RuleAction, { type: Type }>;
  error: string | undefined;
  names: RuleNames;
  onChange: (action: RuleAction) => void;
}

/** A rule has no author: the name of the agent is not known. */
const variables = (Object.keys(macroVariables) as MacroVariable[]).filter((name) => !name.startsWith('agent.'));

const unassigned = 'unassigned';
const inTurn = { value: 'round_robin', label: t('settings.rules.next_agent_in_turn') };

function Assignee({ action, error, names, onChange }: ValueProps<'assign'>) {
  const people = memberOptions(names.members.filter(({ is_active, user_id }) => is_active || user_id === action.to));
  return (
    <Field label={t('settings.rules.assignee')} hideLabel error={error}>
      {(control) => (
        <Select
          {...control}
          placeholder={t('settings.rules.a_former_member')}
          value={action.to ?? unassigned}
          options={[inTurn, { value: unassigned, label: t('settings.rules.unassigned') }, ...people]}
          onChange={(to) => onChange({ type: 'assign', to: to === unassigned ? null : to })}
        />
      )}
    </Field>
  );
}

function Category({ action, error, onChange }: ValueProps<'set_category'>) {
  const listId = useId();
  const { organization_id } = useSession().profile;
  const { data: organization } = useReadLanguagesQuery(organization_id ?? '', { skip: !organization_id });
  return (
    <Field label={t('settings.rules.category')} hideLabel error={error}>
      {(control) => (
        <>
          <Input
            {...control}
            list={listId}
            dir="auto"
            maxLength={ticketLimits.category}
            placeholder={t('settings.rules.category')}
            value={action.category ?? ''}
            onChange={(event) => onChange({ type: 'set_category', category: event.target.value })}
          />
          <datalist id={listId}>
            {organization?.categories.map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function Watchers({ action, error, names, onChange }: ValueProps<'add_watchers' | 'remove_watchers'>) {
  const options = memberOptions(names.members.filter(({ is_active, user_id }) => is_active || action.user_ids.includes(user_id)));
  return (
    <Field label={t('settings.rules.watchers')} hideLabel error={error}>
      {() => (
        <MultiSelect
          label={t('settings.rules.watchers')}
          all={t('settings.rules.no_watchers')}
          short={t('settings.rules.choose_watchers')}
          look="field"
          value={action.user_ids}
          options={options}
          onChange={(user_ids) => onChange({ ...action, user_ids })}
        />
      )}
    </Field>
  );
}

function Reply({ action, error, onChange }: ValueProps<'send_reply'>) {
  const [language, setLanguage] = useState<Language>();
  const text = language ? (action.translations[language] ?? '') : action.content;
  const setText = (content: string) => {
    if (!language) return onChange({ ...action, content });
    const { [language]: _before, ...others } = action.translations;
    // Without a text, the one for all other languages is sent.
    onChange({ ...action, translations: content === '' ? others : { ...others, [language]: content } });
  };
  return (
    <div className="flex flex-col gap-3">
      <TextLanguageField language={language} translations={action.translations} onChange={setLanguage} />
      <VariableTextField
        key={language ?? ''}
        label={t('settings.rules.reply_to_customer')}
        variables={variables}
        content={text}
        error={error}
        onChange={setText}
      />
    </div>
  );
}

function Webhook({ action: { endpoint_id }, error, names: { webhooks }, onChange }: ValueProps<'send_to_webhook'>) {
  const options = webhooks?.map((endpoint) => ({ value: endpoint.id, label: endpointName(endpoint) })) ?? [];
  const isMissing = webhooks !== undefined && endpoint_id !== '' && !options.some(({ value }) => value === endpoint_id);
  if (webhooks?.length === 0)
    return (
      <p className="self-center text-muted">
        <Link to="/settings?tab=webhooks" className="underline">
          {t('settings.rules.add_webhook_first')}
        </Link>
      </p>
    );
  return (
    <Field label={t('settings.rules.webhook')} hideLabel error={isMissing ? t('settings.rules.webhook_no_longer_exists') : error}>
      {(control) => (
        <Select
          {...control}
          placeholder={t('settings.rules.choose_webhook')}
          value={endpoint_id}
          options={options}
          onChange={(id) => onChange({ type: 'send_to_webhook', endpoint_id: id })}
        />
      )}
    </Field>
  );
}

/** The control for the value of an action. */
export function ActionValue(props: ValueProps) {
  const { action, error, onChange } = props;
  switch (action.type) {
    case 'assign':
      return <Assignee {...props} action={action} />;
    case 'set_status':
      return (
        <Select
          label={t('settings.rules.status')}
          value={action.status}
          options={statusOptions}
          onChange={(status) => onChange({ type: 'set_status', status: status as TicketStatus })}
        />
      );
    case 'set_priority':
      return (
        <Select
          label={t('settings.rules.priority')}
          value={action.priority}
          options={priorityOptions}
          onChange={(priority) => onChange({ type: 'set_priority', priority: priority as TicketPriority })}
        />
      );
    case 'set_category':
      return <Category {...props} action={action} />;
    case 'set_field':
      return <SetField {...props} action={action} />;
    case 'add_tags':
    case 'remove_tags':
      return (
        <Field label={t('settings.rules.tags')} hideLabel error={error}>
          {(control) => <TicketTagInput control={control} value={action.tags} onChange={(tags) => onChange({ ...action, tags })} />}
        </Field>
      );
    case 'add_watchers':
    case 'remove_watchers':
      return <Watchers {...props} action={action} />;
    case 'send_reply':
      return <Reply {...props} action={action} />;
    case 'send_to_webhook':
      return <Webhook {...props} action={action} />;
    case 'add_note':
      return (
        <VariableTextField
          label={t('settings.rules.internal_note')}
          variables={variables}
          content={action.content}
          error={error}
          onChange={(content) => onChange({ type: 'add_note', content })}
        />
      );
  }
}
