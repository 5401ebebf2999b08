import type { Organization, TicketCategory } from '@tandem/contracts';
import { directionOf, languageNames, ticketLimits, type Language } from '@tandem/contracts/values';
import { Plus, X } from 'lucide-react';
import { useId, useState, type FormEvent } from 'react';
import { createExternalStore } from '../../../lib/external-store';
import { notify } from '../../../lib/notify';
import { fieldProblems } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { SaveBar } from '../../../ui/SaveBar';
import { Select } from '../../../ui/Select';
import { useSaveCategoriesMutation } from './languages.api';

/** Unsaved changes. They survive switching tabs. */
const unsaved = createExternalStore<TicketCategory[] | undefined>(() => undefined);

interface RowProps {
  category: TicketCategory;
  /** The language of the translations. */
  language: Language;
  /** Messages for `name` and for `translations.de`. */
  errors: Record<string, string>;
  onChange: (category: TicketCategory) => void;
  onRemove: () => void;
}

function CategoryRow({ category, language, errors, onChange, onRemove }: RowProps) {
  const { name, translations } = category;
  const translate = (text: string) => onChange({ name, translations: { ...translations, [language]: text } });
  return (
    <li className="flex items-start gap-2">
      <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-2">
        <Field label={t('settings.languages.name')} error={errors.name}>
          {(field) => (
            <Input
              {...field}
              dir="auto"
              value={name}
              maxLength={ticketLimits.category}
              onChange={({ target }) => onChange({ name: target.value, translations })}
            />
          )}
        </Field>
        <Field
          label={t('settings.languages.in_language_name', { languageName: languageNames[language] })}
          error={errors[`translations.${language}`]}
        >
          {(field) => (
            <Input
              {...field}
              dir={directionOf(language)}
              lang={language}
              value={translations[language] ?? ''}
              placeholder={name}
              maxLength={ticketLimits.category}
              onChange={({ target }) => translate(target.value)}
            />
          )}
        </Field>
      </div>
      <Button
        variant="ghost"
        size="icon"
        className="mt-6"
        aria-label={name === '' ? t('settings.languages.remove_category') : t('settings.languages.remove_name', { name })}
        onClick={onRemove}
      >
        <X aria-hidden />
      </Button>
    </li>
  );
}

/** The errors of one category, by path inside it. */
const errorsAt = (errors: Record<string, string>, index: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([path, message]) =>
      path.startsWith(`categories.${index}.`) ? [[path.slice(`categories.${index}.`.length), message]] : [],
    ),
  );

function useCategories({ id, categories: saved }: Organization) {
  const draft = unsaved.use();
  const categories = draft ?? saved;
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [save, { isLoading }] = useSaveCategoriesMutation();
  const set = (next: TicketCategory[] | undefined) => {
    unsaved.set(next);
    setErrors({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { error } = await save({ id, categories });
    if (error) {
      const problems = fieldProblems(error);
      if (problems.length === 0) return notify.problem(error, t('settings.languages.failed_to_save_categories'));
      return setErrors(Object.fromEntries(problems.map(({ path, message }) => [path, message])));
    }
    // A change made during the request is not saved yet.
    if (unsaved.get() === draft) unsaved.set(undefined);
    notify.success(t('settings.languages.categories_saved'));
  };
  const isChanged = draft !== undefined && JSON.stringify(draft) !== JSON.stringify(saved);
  return { categories, errors, isLoading, isChanged, set, submit };
}

/** The categories that customers choose from, with their names in the offered languages. */
export function Categories({ organization }: { organization: Organization }) {
  const id = useId();
  const { default: standard, offered } = organization.languages;
  const [chosen, setChosen] = useState<Language>();
  const language = chosen && offered.includes(chosen) ? chosen : (offered.find((each) => each !== standard) ?? standard);
  const { categories, errors, isLoading, isChanged, set, submit } = useCategories(organization);
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title={t('settings.languages.categories')}
        actions={
          offered.length > 1 && (
            <Select
              label={t('settings.languages.language_of_translations')}
              value={language}
              options={offered.map((each) => ({ value: each, label: languageNames[each] }))}
              onChange={(value) => setChosen(value as Language)}
            />
          )
        }
      />
      <form noValidate className="flex flex-col gap-4 p-4" onSubmit={(event) => void submit(event)}>
        <p className="text-xs text-muted">{t('settings.languages.what_offered_languages_do')}</p>
        <ul className="flex flex-col gap-3">
          {categories.map((category, index) => (
            <CategoryRow
              key={index}
              category={category}
              language={language}
              errors={errorsAt(errors, index)}
              onChange={(next) => set(categories.map((each, at) => (at === index ? next : each)))}
              onRemove={() => set(categories.filter((_, at) => at !== index))}
            />
          ))}
        </ul>
        <div>
          <Button
            size="sm"
            disabled={categories.length >= ticketLimits.categories}
            onClick={() => set([...categories, { name: '', translations: {} }])}
          >
            <Plus aria-hidden />
            {t('settings.languages.add_category')}
          </Button>
        </div>
        <SaveBar changed={isChanged ? [t('settings.languages.categories')] : []} busy={isLoading} onDiscard={() => set(undefined)} />
      </form>
    </Card>
  );
}
