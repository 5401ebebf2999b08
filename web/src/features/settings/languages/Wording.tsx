import type { CustomerText, OrganizationLanguages } from '@tandem/contracts';
import { languageNames, textParts, ticketStatuses, type Language, type TextPart } from '@tandem/contracts/values';
import { useId, useState, type FormEvent } from 'react';
import { createExternalStore } from '../../../lib/external-store';
import { notify } from '../../../lib/notify';
import { fieldProblems } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Card, CardHeader } from '../../../ui/Card';
import { CheckRow } from '../../../ui/CheckRow';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { SaveBar } from '../../../ui/SaveBar';
import { Select } from '../../../ui/Select';
import { Skeleton } from '../../../ui/Skeleton';
import { useListWordingQuery, useSaveWordingMutation } from './languages.api';
import { TextRow } from './TextRow';

const partLabels: Record<TextPart, string> = {
  portal: t('settings.languages.portal'),
  survey: t('settings.languages.survey'),
  widget: t('settings.languages.widget'),
  email: t('settings.languages.emails'),
};
/** The names of the statuses, which each part has, together. */
const statusNames = 'statuses';
type Group = TextPart | typeof statusNames;
const groupOptions = [
  ...textParts.map((part) => ({ value: part, label: partLabels[part] })),
  { value: statusNames, label: t('settings.languages.status_names_everywhere') },
];
const statusKeys = ticketStatuses.map((status) => `status.${status}`);
const isIn = (group: Group, { part, key }: CustomerText): boolean => (group === statusNames ? statusKeys.includes(key) : part === group);

const matches = ({ key, english, original, text }: CustomerText, wanted: string) =>
  [key, english, original, text ?? ''].some((each) => each.toLowerCase().includes(wanted));

/** The drafts by part and key. Null restores the original. */
type Drafts = Record<string, string | null>;
const idOf = ({ part, key }: CustomerText) => `${part} ${key}`;

const none: Drafts = {};
/** Unsaved texts by language. They survive switching tabs and languages. */
const unsaved = createExternalStore<Partial<Record<Language, Drafts>>>(() => ({}));

/** The unsaved texts, and why the server refused some of them. */
function useDrafts(language: Language, texts: CustomerText[]) {
  const drafts = unsaved.use((all) => all[language] ?? none);
  const setDrafts = (next: Drafts) => unsaved.set({ ...unsaved.get(), [language]: next });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [save, { isLoading }] = useSaveWordingMutation();
  const change = (text: CustomerText, draft: string | null) => {
    const { [idOf(text)]: _, ...others } = drafts;
    // A text that equals the saved one is not a change, unless saving it confirms it after its original has changed.
    setDrafts(draft === text.text && !text.original_changed ? others : { ...others, [idOf(text)]: draft });
    setErrors(({ [idOf(text)]: _solved, ...rest }) => rest);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const refused: Record<string, string> = {};
    let isSaved = true;
    for (const text of texts) {
      const id = idOf(text);
      const draft = drafts[id];
      if (draft === undefined) continue;
      const { error } = await save({ ...text, text: draft === null || draft.trim() === '' ? null : draft });
      if (!error) {
        // A change made during the request is not saved yet.
        const { [id]: latest, ...others } = unsaved.get()[language] ?? none;
        if (latest === draft) setDrafts(others);
        continue;
      }
      isSaved = false;
      const problem = fieldProblems(error)[0]?.message;
      if (problem === undefined) notify.problem(error, t('settings.languages.failed_to_save_text'));
      else refused[id] = problem;
    }
    setErrors(refused);
    if (isSaved) notify.success(t('settings.languages.texts_saved'));
  };
  const discard = () => {
    setDrafts({});
    setErrors({});
  };
  return { drafts, errors, isLoading, change, submit, discard };
}

interface Filter {
  group: Group;
  search: string;
  onlyOwn: boolean;
}

const Filters = ({ filter, set }: { filter: Filter; set: (filter: Filter) => void }) => (
  <>
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('settings.languages.where_customers_read_it')}>
        {(control) => (
          <Select
            {...control}
            value={filter.group}
            options={groupOptions}
            onChange={(group) => set({ ...filter, group: group as Group })}
          />
        )}
      </Field>
      <Field label={t('settings.languages.search_all_texts')}>
        {(control) => (
          <Input {...control} type="search" value={filter.search} onChange={({ target }) => set({ ...filter, search: target.value })} />
        )}
      </Field>
    </div>
    <CheckRow
      label={t('settings.languages.only_your_own_texts')}
      checked={filter.onlyOwn}
      onChange={(onlyOwn) => set({ ...filter, onlyOwn })}
    />
  </>
);

const changedTexts = (count: number): string[] => (count === 0 ? [] : [t('settings.languages.count_texts', { count })]);

function Texts({ language, texts }: { language: Language; texts: CustomerText[] }) {
  const [filter, setFilter] = useState<Filter>({ group: 'email', search: '', onlyOwn: false });
  const { drafts, errors, isLoading, change, submit, discard } = useDrafts(language, texts);
  const wanted = filter.search.trim().toLowerCase();
  const shown = texts.filter(
    (text) =>
      (wanted === '' ? isIn(filter.group, text) : matches(text, wanted)) && (!filter.onlyOwn || text.text !== null || idOf(text) in drafts),
  );
  const outdated = texts.filter((text) => text.original_changed).length;
  return (
    <form noValidate className="flex flex-col gap-4 p-4" onSubmit={(event) => void submit(event)}>
      <Filters filter={filter} set={setFilter} />
      {outdated > 0 && <p className="text-amber-text">{t('settings.languages.count_originals_have_changed_since', { outdated })}</p>}
      {shown.length === 0 ? (
        <p className="py-4 text-center text-muted">
          {wanted === '' ? t('settings.languages.no_replaced_texts') : t('settings.languages.no_text_matches_your_search')}
        </p>
      ) : (
        <ul className="-mx-4 border-t">
          {shown.map((text) => (
            <TextRow
              key={idOf(text)}
              text={text}
              draft={drafts[idOf(text)]}
              label={wanted === '' && filter.group !== statusNames ? undefined : partLabels[text.part]}
              error={errors[idOf(text)]}
              onChange={(next) => change(text, next)}
            />
          ))}
        </ul>
      )}
      <SaveBar changed={changedTexts(Object.keys(drafts).length)} busy={isLoading} onDiscard={discard} />
    </form>
  );
}

/** The texts that customers read in one of the offered languages, each of which the organization can replace. */
export function Wording({ languages }: { languages: OrganizationLanguages }) {
  const id = useId();
  const [chosen, setChosen] = useState<Language>();
  const language = chosen && languages.offered.includes(chosen) ? chosen : languages.default;
  const { currentData: texts, isError, isFetching, refetch } = useListWordingQuery(language);
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title={t('settings.languages.custom_wording')}
        actions={
          languages.offered.length > 1 && (
            <Select
              label={t('settings.languages.language_of_texts')}
              value={language}
              options={languages.offered.map((each) => ({ value: each, label: languageNames[each] }))}
              onChange={(value) => setChosen(value as Language)}
            />
          )
        }
      />
      {texts ? (
        <Texts key={language} language={language} texts={texts} />
      ) : isError ? (
        <ErrorNote title={t('settings.languages.failed_to_load_texts')} onRetry={() => void refetch()} busy={isFetching} />
      ) : (
        <div className="p-4">
          <span className="sr-only">{t('settings.languages.loading')}</span>
          <Skeleton className="h-64" />
        </div>
      )}
    </Card>
  );
}
