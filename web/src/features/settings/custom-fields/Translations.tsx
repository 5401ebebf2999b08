import { customFieldLimits, directionOf, languageNames, languages, type Language } from '@tandem/contracts/values';
import { useState } from 'react';
import { useSession } from '../../../app/api';
import { t } from '../../../lib/staff-texts';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import { FormPart } from '../FormPart';
import { blankTranslation, hasOptions, optionPath, translationPath } from './field-form';
import type { FieldFormState } from './use-field-form';

/** The languages that customers may read besides the default one, and those that have texts already. */
export function useOtherLanguages({ draft }: FieldFormState): Language[] {
  const offer = useSession().organization?.languages;
  return languages.filter((each) => (offer?.offered.includes(each) && each !== offer.default) || draft.translations[each]);
}

function Texts({ form, language }: { form: FieldFormState; language: Language }) {
  const { draft, errors, set } = form;
  const text = draft.translations[language] ?? blankTranslation;
  const change = (part: Partial<typeof text>) => set({ translations: { ...draft.translations, [language]: { ...text, ...part } } });
  const input = { lang: language, dir: directionOf(language), autoComplete: 'off' };
  const rows = hasOptions(draft.type) ? draft.options.filter(({ label }) => label.trim() !== '') : [];
  return (
    <>
      <Field label={t('settings.fields.label')} error={errors[translationPath(language, 'label')]}>
        {(control) => (
          <Input
            {...control}
            {...input}
            maxLength={customFieldLimits.label}
            placeholder={draft.label}
            value={text.label}
            onChange={({ target }) => change({ label: target.value })}
          />
        )}
      </Field>
      <Field label={t('settings.fields.hint')} error={errors[translationPath(language, 'hint')]}>
        {(control) => (
          <Input
            {...control}
            {...input}
            maxLength={customFieldLimits.hint}
            placeholder={draft.hint}
            value={text.hint}
            onChange={({ target }) => change({ hint: target.value })}
          />
        )}
      </Field>
      {rows.map(({ id, label }) => (
        <Field key={id} label={t('settings.fields.option_label', { label })} error={errors[translationPath(language, optionPath(id))]}>
          {(control) => (
            <Input
              {...control}
              {...input}
              maxLength={customFieldLimits.label}
              placeholder={label}
              value={text.options[id] ?? ''}
              onChange={({ target }) => change({ options: { ...text.options, [id]: target.value } })}
            />
          )}
        </Field>
      ))}
    </>
  );
}

/** The texts of the field for customers who read another language. Shows one language at a time. */
export function Translations({ form, others }: { form: FieldFormState; others: Language[] }) {
  const { errors, draft } = form;
  const [chosen, setChosen] = useState<Language>();
  const [seen, setSeen] = useState(errors);
  if (seen !== errors) {
    setSeen(errors);
    // An error of a language that is not shown could not be found.
    const failed = others.find((each) => Object.keys(errors).some((path) => path.startsWith(translationPath(each, ''))));
    if (failed) setChosen(failed);
  }
  const language = chosen && others.includes(chosen) ? chosen : others[0];
  if (!language) return null;
  const labelOf = (each: Language) =>
    draft.translations[each]?.label ? languageNames[each] : t('app.language_without_text', { language: languageNames[each] });
  return (
    <FormPart title={t('settings.fields.translations')} hint={t('settings.fields.about_translations')}>
      <div className="flex max-w-md flex-col gap-3">
        <Field label={t('settings.fields.language')}>
          {(control) => (
            <Select
              {...control}
              value={language}
              options={others.map((value) => ({ value, label: labelOf(value) }))}
              onChange={(value) => setChosen(value as Language)}
            />
          )}
        </Field>
        <Texts key={language} form={form} language={language} />
      </div>
    </FormPart>
  );
}
