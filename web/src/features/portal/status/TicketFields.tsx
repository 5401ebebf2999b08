import type { FormField, PublicTicket } from '@tandem/contracts';
import type { CustomFieldValue } from '@tandem/contracts/values';
import { localizedField } from '../../../lib/localized-field';
import { localeOf, useTexts, type PortalTranslate } from '../language/texts';

/** The value as customers read it. An option that was removed from the field has no label any more, so its value is shown. */
function valueText(field: FormField, value: CustomFieldValue, t: PortalTranslate): string {
  const locale = localeOf(t.language);
  const { options } = localizedField(field, t.language);
  const optionText = (each: string) => options.find((option) => option.value === each)?.label ?? each;
  if (Array.isArray(value)) return new Intl.ListFormat(locale, { style: 'narrow' }).format(value.map(optionText));
  if (typeof value === 'boolean') return t(value ? 'fields.yes' : 'fields.no');
  if (typeof value === 'number') return new Intl.NumberFormat(locale, { maximumFractionDigits: 15 }).format(value);
  if (field.type === 'date') return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(value));
  return field.type === 'choice' ? optionText(value) : value;
}

/** The custom fields of a ticket, as a list of labels and values. */
export function TicketFields({ fields }: { fields: PublicTicket['custom_fields'] }) {
  const t = useTexts();
  if (fields.length === 0) return null;
  return (
    <dl className="mt-4 grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-4 gap-y-1.5 text-md">
      {fields.map(({ field, value }) => (
        <div key={field.key} className="contents">
          <dt className="break-words text-muted">
            <bdi>{localizedField(field, t.language).label}</bdi>
          </dt>
          <dd className="break-words whitespace-pre-line">
            <bdi>{valueText(field, value, t)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
