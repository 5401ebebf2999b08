import type { CustomField } from '@tandem/contracts';
import { customFieldLimits } from '@tandem/contracts/values';
import { ArrowDown, ArrowUp, ChevronRight, Ellipsis, Pencil, Plus, TextCursorInput, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { EmptyState } from '../../../ui/EmptyState';
import { Menu } from '../../../ui/Menu';
import { OrderedList } from '../../../app/ordered-list/OrderedList';
import { StarterCard } from '../StarterCard';
import { useOrderCustomFieldsMutation, useRestoreCustomFieldMutation } from './custom-field-settings.api';
import { lastDayText, suggestionNames, suggestions, typeLabels, usageText } from './field-labels';
import { fieldAddress, newFieldAddress } from './use-fields-address';

const TypeAndKey = ({ field }: { field: CustomField }) => (
  <p className="[overflow-wrap:anywhere] text-muted">
    {typeLabels[field.type]} · <code>{field.key}</code>
  </p>
);

interface RowProps {
  field: CustomField;
  onMove: (by: number) => void;
  onDelete: () => void;
}

/** The content of one row of the list. */
function FieldRow({ field, onMove, onDelete }: RowProps) {
  const navigate = useNavigate();
  const address = fieldAddress(field.id);
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1 pl-1">
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1">
          <Link to={address} className="font-medium [overflow-wrap:anywhere] hover:underline" dir="auto">
            {field.label}
          </Link>
        </p>
        <div className="-my-1 shrink-0">
          <Menu
            trigger={
              <Button variant="ghost" size="icon-sm" aria-label={t('settings.fields.actions_for_name', { name: field.label })}>
                <Ellipsis aria-hidden />
              </Button>
            }
            entries={[
              { label: t('settings.fields.edit'), icon: Pencil, onSelect: () => void navigate(address) },
              { label: t('settings.move_up'), icon: ArrowUp, onSelect: () => onMove(-1) },
              { label: t('settings.move_down'), icon: ArrowDown, onSelect: () => onMove(1) },
              'separator',
              { label: t('settings.fields.delete'), icon: Trash2, onSelect: onDelete },
            ]}
          />
        </div>
      </div>
      <TypeAndKey field={field} />
      <p className="text-xs text-pretty [overflow-wrap:anywhere] text-muted">{usageText(field)}</p>
    </div>
  );
}

function Nothing() {
  const navigate = useNavigate();
  return (
    <>
      <EmptyState icon={TextCursorInput} title={t('settings.fields.no_fields_yet')}>
        {t('settings.fields.what_fields_do')}
      </EmptyState>
      <ul aria-label={t('settings.fields.suggestions')} className="-mt-6 grid gap-2.5 p-4 sm:grid-cols-2">
        {suggestionNames.map((name) => (
          <li key={name}>
            <StarterCard
              icon={suggestions[name].icon}
              title={suggestions[name].field.label}
              description={suggestions[name].description}
              onChoose={() => void navigate(newFieldAddress(name))}
            />
          </li>
        ))}
        <li>
          <StarterCard
            icon={Plus}
            title={t('settings.fields.another_field')}
            description={t('settings.fields.about_another_field')}
            onChoose={() => void navigate(newFieldAddress())}
          />
        </li>
      </ul>
    </>
  );
}

function NewField({ isFull }: { isFull: boolean }) {
  const navigate = useNavigate();
  return (
    <Button size="sm" disabled={isFull} onClick={() => void navigate(newFieldAddress())}>
      <Plus aria-hidden />
      {t('settings.fields.new_field')}
    </Button>
  );
}

interface FieldListProps {
  /** Those that are in use, in their order. */
  fields: CustomField[];
  onDelete: (field: CustomField) => void;
}

/** The fields in the order in which forms and tickets show them. */
export function FieldList({ fields, onDelete }: FieldListProps) {
  const id = useId();
  const [save] = useOrderCustomFieldsMutation();
  const isFull = fields.length >= customFieldLimits.fields;
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('settings.fields.custom_fields')} actions={fields.length > 0 && <NewField isFull={isFull} />} />
      {fields.length === 0 ? (
        <Nothing />
      ) : (
        <>
          <p className="border-b px-4 py-2.5 text-xs text-pretty text-muted">
            {isFull ? t('settings.fields.at_most_fields', { count: customFieldLimits.fields }) : t('settings.fields.order_matters')}
          </p>
          <OrderedList
            label={t('settings.fields.custom_fields')}
            hint={t('settings.fields.how_to_move')}
            items={fields}
            all={fields}
            nameOf={({ label }) => label}
            save={save}
            savedText={t('settings.fields.fields_reordered')}
            failedText={t('settings.fields.couldnt_reorder_fields')}
          >
            {(field, moveBy) => <FieldRow field={field} onMove={moveBy} onDelete={() => onDelete(field)} />}
          </OrderedList>
        </>
      )}
    </Card>
  );
}

function DeletedField({ field }: { field: CustomField }) {
  const [restore, { isLoading }] = useRestoreCustomFieldMutation();
  const restoreNow = async () => {
    const { error } = await restore(field.id);
    if (error) return notify.problem(error, t('settings.fields.couldnt_restore_field'));
    notify.success(t('settings.fields.field_restored'), field.label);
  };
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-t px-4 py-3">
      <div className="min-w-48 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]" dir="auto">
          {field.label}
        </p>
        <TypeAndKey field={field} />
        <p className="text-xs text-muted">{t('settings.fields.values_deleted_on', { date: lastDayText(field) })}</p>
      </div>
      <Button
        size="sm"
        busy={isLoading}
        aria-label={t('settings.fields.restore_name', { name: field.label })}
        onClick={() => void restoreNow()}
      >
        {t('settings.fields.restore')}
      </Button>
    </li>
  );
}

/** The deleted fields that can be restored. */
export const DeletedFields = ({ fields }: { fields: CustomField[] }) => (
  <details className="group rounded-lg border bg-surface">
    <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-lg px-4 font-medium [&::-webkit-details-marker]:hidden">
      <ChevronRight className="size-4 text-muted transition-transform group-open:rotate-90" aria-hidden />
      {t('settings.fields.deleted_fields', { count: fields.length })}
    </summary>
    <p className="px-4 pb-3 text-xs text-pretty text-muted">{t('settings.fields.about_restoring')}</p>
    <ul aria-label={t('settings.fields.deleted_fields_list')}>
      {fields.map((field) => (
        <DeletedField key={field.id} field={field} />
      ))}
    </ul>
  </details>
);
