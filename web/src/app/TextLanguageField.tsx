import type { Macro } from '@tandem/contracts';
import { languageNames, languages, type Language } from '@tandem/contracts/values';
import { t } from '../lib/staff-texts';
import { Field } from '../ui/Field';
import { Select } from '../ui/Select';
import { useSession } from './api';

const others = 'others';

interface TextLanguageFieldProps {
  /** Undefined: the text for all other languages. */
  language: Language | undefined;
  translations: Macro['translations'];
  onChange: (language: Language | undefined) => void;
}

/** Chooses the language of the text below, among those that the organization offers or that have a text. */
export function TextLanguageField({ language, translations, onChange }: TextLanguageFieldProps) {
  const offered = useSession().organization?.languages.offered ?? [];
  const shown = languages.filter((each) => offered.includes(each) || translations[each]);
  if (shown.length < 2) return null;
  const labelOf = (each: Language) =>
    translations[each] ? languageNames[each] : t('app.language_without_text', { language: languageNames[each] });
  return (
    <Field label={t('app.text_language')} hint={t('app.when_default_text_is_used')}>
      {(control) => (
        <Select
          {...control}
          value={language ?? others}
          options={[
            { value: others, label: t('app.all_other_languages') },
            ...shown.map((each) => ({ value: each, label: labelOf(each) })),
          ]}
          onChange={(value) => onChange(value === others ? undefined : (value as Language))}
        />
      )}
    </Field>
  );
}
