import type { Organization, OrganizationLanguages } from '@tandem/contracts';
import { languageNames, languages, type Language } from '@tandem/contracts/values';
import { useId, type FormEvent } from 'react';
import { createExternalStore } from '../../../lib/external-store';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Card, CardHeader } from '../../../ui/Card';
import { Field } from '../../../ui/Field';
import { SaveBar } from '../../../ui/SaveBar';
import { Select } from '../../../ui/Select';
import { useSaveLanguagesMutation } from './languages.api';

/** Unsaved changes. They survive switching tabs. */
const unsaved = createExternalStore<OrganizationLanguages | undefined>(() => undefined);

const options = languages.map((language) => ({ value: language, label: languageNames[language] }));

function OfferedFields({
  languages: chosen,
  onChange,
}: {
  languages: OrganizationLanguages;
  onChange: (offered: readonly Language[]) => void;
}) {
  return (
    <fieldset>
      <legend className="font-medium">{t('settings.languages.offered_languages')}</legend>
      <p className="mt-1 text-xs text-muted">{t('settings.languages.what_languages_do')}</p>
      <div className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-4 gap-y-2">
        {languages.map((language) => (
          <label key={language} className="flex items-center gap-2.5 touch:h-10">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent touch:size-5"
              checked={chosen.offered.includes(language)}
              disabled={language === chosen.default}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen.offered, language] : chosen.offered.filter((each) => each !== language))
              }
            />
            <span lang={language}>{languageNames[language]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The default language and the ones that customers can choose. */
export function OfferedLanguages({ organization }: { organization: Organization }) {
  const id = useId();
  const draft = unsaved.use();
  const [save, { isLoading }] = useSaveLanguagesMutation();
  const shown = draft ?? organization.languages;
  const changed = [
    ...(shown.default === organization.languages.default ? [] : [t('settings.languages.default_language')]),
    ...(shown.offered.join() === organization.languages.offered.join() ? [] : [t('settings.languages.offered_languages')]),
  ];
  const offer = (offered: readonly Language[], standard = shown.default) =>
    unsaved.set({ default: standard, offered: languages.filter((each) => each === standard || offered.includes(each)) });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { error } = await save({ id: organization.id, languages: shown });
    if (error) return notify.problem(error, t('settings.languages.failed_to_save_languages'));
    // A choice made during the request is not saved yet.
    if (unsaved.get() === draft) unsaved.set(undefined);
    notify.success(t('settings.languages.languages_saved'));
  };
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('settings.languages.languages')} />
      <form noValidate className="flex flex-col gap-5 p-4" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('settings.languages.default_language')}
          hint={t('settings.languages.what_default_language_is_for')}
          className="max-w-sm"
        >
          {(control) => (
            <Select {...control} value={shown.default} options={options} onChange={(value) => offer(shown.offered, value as Language)} />
          )}
        </Field>
        <OfferedFields languages={shown} onChange={offer} />
        <SaveBar changed={changed} busy={isLoading} onDiscard={() => unsaved.set(undefined)} />
      </form>
    </Card>
  );
}
