import type { FormField } from '@tandem/contracts';
import type { Language } from '@tandem/contracts/values';

/** The field's own label, hint and option labels where it has none in this language. */
export function localizedField(field: FormField, language: Language): Pick<FormField, 'label' | 'hint' | 'options'> {
  const translated = field.translations[language];
  return {
    label: translated?.label ?? field.label,
    hint: translated?.hint ?? field.hint,
    options: field.options.map(({ value, label }) => ({ value, label: translated?.options[value] ?? label })),
  };
}
