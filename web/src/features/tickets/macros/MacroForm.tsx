import type { ChangesWithComment, CreateMacro, Macro } from '@tandem/contracts';
import {
  languageNames,
  languages,
  macroLimits,
  macroVariables,
  ticketLimits,
  unknownVariables,
  type Language,
  type MacroVariable,
} from '@tandem/contracts/values';
import { useRef, useState } from 'react';
import { useSession } from '../../../app/api';
import { isFormProblem } from '../../../lib/form-errors';
import { notify } from '../../../lib/notify';
import { fieldProblems } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { keyPerText } from '../../../lib/unique';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input, Textarea } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import { Switch } from '../../../ui/Switch';
import { ChangesEditor } from './ChangesEditor';
import { useCreateMacroMutation, useUpdateMacroMutation } from './macros.api';

type TranslationPath = `translations.${Language}`;
type Errors = Partial<Record<'name' | 'content' | TranslationPath, string>>;
const pathOf = (language: Language): TranslationPath => `translations.${language}`;
const empty: CreateMacro = { name: '', content: '', translations: {}, is_internal: false, changes: {}, is_shared: false };

/** The error of a text with an unknown variable, under the path of the text. */
function variableError(path: keyof Errors, text: string): Errors {
  const unknown = unknownVariables(text)[0];
  return unknown === undefined ? {} : { [path]: `{{${unknown}}} isn’t a variable. Choose one from the list below.` };
}

function errorsOf({ name, content, translations, changes }: CreateMacro): Errors {
  const translated = languages.filter((language) => translations[language]?.trim());
  const isEmpty = content.trim() === '';
  return {
    ...(name.trim() === '' ? { name: t('tickets.macros.enter_name') } : {}),
    ...(isEmpty && Object.keys(changes).length === 0 ? { content: t('tickets.macros.enter_text_or_choose_changes') } : {}),
    ...(isEmpty && translated.length > 0 ? { content: t('tickets.macros.enter_default_text') } : {}),
    ...variableError('content', content),
    ...translated
      .map((language) => variableError(pathOf(language), translations[language] ?? ''))
      .reduce((all, each) => ({ ...all, ...each }), {}),
  };
}

/** Creates or updates; resolves to the error, if any. */
function useSave(macro: Macro | undefined) {
  const [create, creating] = useCreateMacroMutation();
  const [update, updating] = useUpdateMacroMutation();
  const [keyOf] = useState(keyPerText);
  return {
    isSaving: creating.isLoading || updating.isLoading,
    save: async (values: CreateMacro) => {
      const { error } = macro
        ? await update({ id: macro.id, changes: values })
        : await create({ macro: values, key: keyOf(JSON.stringify(values)) });
      return error;
    },
  };
}

function Variables({ onInsert }: { onInsert: (variable: MacroVariable) => void }) {
  return (
    <div>
      <p className="mb-1.5 text-xs text-muted">{t('tickets.macros.what_variables_are')}</p>
      <ul aria-label={t('tickets.macros.variables')} className="flex flex-wrap gap-1">
        {(Object.keys(macroVariables) as MacroVariable[]).map((variable) => (
          <li key={variable}>
            <button
              type="button"
              title={macroVariables[variable]}
              onClick={() => onInsert(variable)}
              className="rounded-sm border bg-surface px-1.5 py-0.5 font-mono text-2xs text-muted hover:bg-hover hover:text-ink touch:py-2"
            >
              {`{{${variable}}}`}
              <span className="sr-only">: {macroVariables[variable]}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const others = 'others';

interface LanguageFieldProps {
  /** Undefined: the text for all other languages. */
  language: Language | undefined;
  translations: CreateMacro['translations'];
  onChange: (language: Language | undefined) => void;
}
/** Chooses the language of the text below, among those that the organization offers or that have a text. */
function LanguageField({ language, translations, onChange }: LanguageFieldProps) {
  const offered = useSession().organization?.languages.offered ?? [];
  const shown = languages.filter((each) => offered.includes(each) || translations[each]);
  if (shown.length < 2) return null;
  const labelOf = (each: Language) => `${languageNames[each]}${translations[each] ? '' : ' (no text)'}`;
  return (
    <Field label={t('tickets.macros.language')} hint={t('tickets.macros.when_default_text_is_used')}>
      {(control) => (
        <Select
          {...control}
          value={language ?? others}
          options={[
            { value: others, label: t('tickets.macros.all_other_languages') },
            ...shown.map((each) => ({ value: each, label: labelOf(each) })),
          ]}
          onChange={(value) => onChange(value === others ? undefined : (value as Language))}
        />
      )}
    </Field>
  );
}

interface TextFieldProps {
  content: string;
  error: string | undefined;
  onChange: (content: string) => void;
}
/** The text, and the variables that can be inserted at its cursor. */
function TextField({ content, error, onChange }: TextFieldProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const insert = (variable: MacroVariable) => {
    const at = box.current?.selectionStart ?? content.length;
    const text = `{{${variable}}}`;
    onChange(content.slice(0, at) + text + content.slice(at));
    setTimeout(() => {
      box.current?.focus();
      box.current?.setSelectionRange(at + text.length, at + text.length);
    });
  };
  return (
    <div className="flex flex-col gap-2.5">
      <Field label={t('tickets.macros.text')} optional error={error}>
        {(field) => (
          <Textarea
            {...field}
            ref={box}
            dir="auto"
            rows={6}
            value={content}
            maxLength={ticketLimits.comment}
            className="max-h-[30vh]"
            placeholder={t('tickets.macros.hello_customer_name')}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
      <Variables onInsert={insert} />
    </div>
  );
}

/** What the form contains: `path` is the text that it shows, in `language` or for all other languages. */
function useMacroForm(macro: Macro | undefined, onClose: () => void) {
  const [values, setValues] = useState<CreateMacro>(macro ? pick(macro) : empty);
  const [errors, setErrors] = useState<Errors>({});
  const [language, setLanguage] = useState<Language>();
  const { isSaving, save } = useSave(macro);
  const path: keyof Errors = language ? pathOf(language) : 'content';
  const set = (news: Partial<CreateMacro>) => {
    setValues((current) => ({ ...current, ...news }));
    setErrors({});
  };
  const setText = (text: string) => set(language ? { translations: { ...values.translations, [language]: text } } : { content: text });
  /** Shows a text that has an error. */
  const show = (found: Errors) => {
    setErrors(found);
    if (!found[path]) setLanguage(found.content ? undefined : (languages.find((each) => found[pathOf(each)]) ?? language));
  };
  const submit = async () => {
    const found = errorsOf(values);
    show(found);
    if (Object.keys(found).length > 0) return;
    const error = await save({ ...values, name: values.name.trim(), content: values.content.trim() });
    if (error) {
      show(Object.fromEntries(fieldProblems(error).map((problem) => [problem.path, problem.message])));
      const fields = Object.fromEntries(['name', 'content', ...languages.map(pathOf)].map((name) => [name, '']));
      return isFormProblem(error, fields) && notify.problem(error, t('tickets.macros.failed_to_save_canned_reply'));
    }
    notify.success(t('tickets.macros.canned_reply_saved'));
    onClose();
  };
  const text = language ? (values.translations[language] ?? '') : values.content;
  return { values, text, errors, path, language, isSaving, set, setText, setLanguage, submit };
}

/** Edits a canned reply: its texts, its ticket changes and its sharing. */
export function MacroForm({ macro, onClose }: { macro?: Macro | undefined; onClose: () => void }) {
  const { values, text, errors, path, language, isSaving, set, setText, setLanguage, submit } = useMacroForm(macro, onClose);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={macro ? t('tickets.macros.edit_canned_reply') : t('tickets.macros.new_canned_reply')}
      className="max-w-2xl"
      footer={
        <>
          <Button onClick={onClose}>{t('tickets.macros.cancel')}</Button>
          <Button variant="primary" busy={isSaving} onClick={() => void submit()}>
            {t('tickets.macros.save')}
          </Button>
        </>
      }
    >
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label={t('tickets.macros.name')} required error={errors.name}>
          {(field) => (
            <Input {...field} value={values.name} maxLength={macroLimits.name} onChange={({ target }) => set({ name: target.value })} />
          )}
        </Field>
        <LanguageField language={language} translations={values.translations} onChange={setLanguage} />
        <TextField key={path} content={text} error={errors[path]} onChange={setText} />
        <ChangesEditor changes={values.changes} onChange={(changes: ChangesWithComment) => set({ changes })} />
        <div className="flex flex-col gap-3 border-t pt-4">
          <Switch label={t('tickets.macros.internal_note')} checked={values.is_internal} onChange={(is_internal) => set({ is_internal })} />
          <Switch label={t('tickets.macros.shared_with_team')} checked={values.is_shared} onChange={(is_shared) => set({ is_shared })} />
        </div>
      </form>
    </Dialog>
  );
}

const pick = ({ name, content, translations, is_internal, changes, is_shared }: Macro): CreateMacro => ({
  name,
  content,
  translations,
  is_internal,
  changes,
  is_shared,
});
