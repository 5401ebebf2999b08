import {
  directionsOf,
  syncDirectionLabels,
  syncFieldLabels,
  syncFields,
  type SyncDirection,
  type SyncField,
} from '@tandem/contracts/values';
import { ArrowLeft, ArrowLeftRight, ArrowRight, Ban, type LucideIcon } from 'lucide-react';
import { useId } from 'react';
import { cn } from '../../lib/cn';
import { t } from '../../lib/staff-texts';
import { Select } from '../../ui/Select';
import type { SettingsProps } from './settings-draft';

const icons: Record<SyncDirection, LucideIcon> = { both: ArrowLeftRight, to_task: ArrowRight, to_ticket: ArrowLeft, off: Ban };
const optionsOf = (field: SyncField) =>
  directionsOf[field].map((value) => {
    const Icon = icons[value];
    return { value, label: syncDirectionLabels[value], mark: <Icon className="size-3.5 text-muted" aria-hidden /> };
  });

/** Name of the task field that each ticket field is mapped to. */
const inTask: Record<SyncField, string> = {
  status: t('integration.status'),
  priority: t('integration.priority'),
  title: t('integration.name'),
  description: t('integration.description'),
  tags: t('integration.tags'),
  assignee: t('integration.assignee_found_by_email'),
  customer_email: t('integration.line_in_description'),
  due_at: t('integration.due_date'),
};
/** Select value for the description; no field id starts with a space. */
const inDescription = ' ';

function EmailField({ list, draft, set }: SettingsProps) {
  const options = [
    { value: inDescription, label: inTask.customer_email },
    ...list.email_fields.map(({ id, name }) => ({ value: id, label: t('integration.field_name', { name }) })),
  ];
  return (
    <Select
      label={t('integration.where_to_put_customers_email')}
      value={draft.email_field ?? inDescription}
      options={options}
      disabled={draft.directions.customer_email === 'off'}
      onChange={(value) => set({ email_field: value === inDescription ? null : value })}
    />
  );
}

function FieldRow({ field, ...props }: SettingsProps & { field: SyncField }) {
  const { tool, draft, set } = props;
  const choosesField = field === 'customer_email' && tool.capabilities.custom_fields;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_11rem] items-center gap-x-3 py-2 sm:grid-cols-[11rem_11rem_minmax(0,1fr)]">
      <span className="font-medium">{syncFieldLabels[field]}</span>
      <div className={cn(!choosesField && 'max-sm:row-span-2')}>
        <Select
          label={t('integration.direction_of_field_name', { fieldName: syncFieldLabels[field] })}
          value={draft.directions[field]}
          options={optionsOf(field)}
          onChange={(value) => set({ directions: { ...draft.directions, [field]: value as SyncDirection } })}
        />
      </div>
      <div className={cn('min-w-0 text-muted', choosesField ? 'max-sm:col-span-2 max-sm:mt-2' : 'max-sm:text-xs')}>
        {choosesField ? <EmailField {...props} /> : inTask[field]}
      </div>
    </li>
  );
}

/** Sync direction of each field; only fields and directions that the tool supports. */
export function FieldMapping(props: SettingsProps) {
  const id = useId();
  const fields = syncFields.filter((field) => props.tool.capabilities.fields.includes(field));
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="font-semibold">
        {t('integration.fields')}
      </h3>
      <p className="text-muted">{t('integration.choose_fields_and_directions')}</p>
      <ul className="mt-2 divide-y border-y">
        {fields.map((field) => (
          <FieldRow key={field} field={field} {...props} />
        ))}
      </ul>
      {props.tool.capabilities.custom_fields && (
        <p className="mt-2 text-muted">{t('integration.custom_fields_with_same_name', { tool: props.tool.name })}</p>
      )}
    </section>
  );
}
