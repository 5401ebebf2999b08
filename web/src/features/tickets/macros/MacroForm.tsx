import type { ChangesWithComment, CreateMacro, Macro } from '@tandem/contracts';
import { languages, macroLimits, unknownVariables, type Language } from '@tandem/contracts/values';
import { useId, useState } from 'react';
import { useListCustomFieldsQuery } from '../../../app/custom-fields/custom-fields.api';
import { problemsByField } from '../../../app/custom-fields/ticket-fields';
import { TextLanguageField } from '../../../app/TextLanguageField';
import { VariableTextField } from '../../../app/VariableTextField';
import { isFormProblem } from '../../../lib/form-errors';
import { notify } from '../../../lib/notify';
import { fieldProblems } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { keyPerText } from '../../../lib/unique';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Switch } from '../../../ui/Switch';
import { ChangesEditor } from './ChangesEditor';
import { problemsOf } from './FieldChanges';
import { useCreateMacroMutation, useUpdateMacroMutation } from './macros.api';

type TranslationPath = `translations.${Language}`;
type Errors = Partial<Record<'name' | 'content' | TranslationPath, string>>;
const pathOf = (language: Language): TranslationPath => `translations.${language}`;
const empty: CreateMacro = { name: '', content: '', translations: {}, is_internal: false, changes: {}, is_shared: false };

/** The error of a text with an unknown variable, under the path of the text. */
function variableError(path: keyof Errors, text: string): Errors {
  const unknown = unknownVariables(text)[0];
  return unknown === undefined ? {} : { [path]: t('app.unknown_variable', { name: unknown }) };
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

/** What the form contains: `path` is the text that it shows, in `language` or for all other languages. */
function useMacroForm(macro: Macro | undefined, onClose: () => void) {
  const [values, setValues] = useState<CreateMacro>(macro ? pick(macro) : empty);
  const [errors, setErrors] = useState<Errors>({});
  const [language, setLanguage] = useState<Language>();
  const { data: fields } = useListCustomFieldsQuery();
  const [problems, setProblems] = useState<ReturnType<typeof problemsOf>>({});
  const { isSaving, save } = useSave(macro);
  const path: keyof Errors = language ? pathOf(language) : 'content';
  const set = (news: Partial<CreateMacro>) => {
    setValues((current) => ({ ...current, ...news }));
    setErrors({});
    setProblems({});
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
    const invalid = problemsOf(fields, values.changes.custom_fields);
    setProblems(invalid);
    if (Object.keys({ ...found, ...invalid }).length > 0) return;
    const error = await save({ ...values, name: values.name.trim(), content: values.content.trim() });
    if (error) {
      show(Object.fromEntries(fieldProblems(error).map((problem) => [problem.path, problem.message])));
      const refused = problemsByField(error);
      setProblems(refused);
      if (Object.keys(refused).length > 0) return;
      const inputs = Object.fromEntries(['name', 'content', ...languages.map(pathOf)].map((name) => [name, '']));
      return isFormProblem(error, inputs) && notify.problem(error, t('tickets.macros.failed_to_save_canned_reply'));
    }
    notify.success(t('tickets.macros.canned_reply_saved'));
    onClose();
  };
  const text = language ? (values.translations[language] ?? '') : values.content;
  return { values, text, errors, path, language, problems, isSaving, set, setText, setLanguage, submit };
}

/** Edits a canned reply: its texts, its ticket changes and its sharing. */
export function MacroForm({ macro, onClose }: { macro?: Macro | undefined; onClose: () => void }) {
  const { values, text, errors, path, language, problems, isSaving, set, setText, setLanguage, submit } = useMacroForm(macro, onClose);
  const formId = useId();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={macro ? t('tickets.macros.edit_canned_reply') : t('tickets.macros.new_canned_reply')}
      className="max-w-2xl"
      footer={
        <>
          <Button onClick={onClose}>{t('tickets.macros.cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" busy={isSaving}>
            {t('tickets.macros.save')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
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
        <TextLanguageField language={language} translations={values.translations} onChange={setLanguage} />
        <VariableTextField
          key={path}
          label={t('tickets.macros.text')}
          isOptional
          placeholder={t('tickets.macros.hello_customer_name')}
          content={text}
          error={errors[path]}
          onChange={setText}
        />
        <ChangesEditor changes={values.changes} problems={problems} onChange={(changes: ChangesWithComment) => set({ changes })} />
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
