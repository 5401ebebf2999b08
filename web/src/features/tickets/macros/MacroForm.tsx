import type { ChangesWithComment, CreateMacro, Macro } from '@tandem/contracts';
import { macroLimits, macroVariables, ticketLimits, unknownVariables, type MacroVariable } from '@tandem/contracts/values';
import { useRef, useState } from 'react';
import { isFormProblem } from '../../../lib/form-errors';
import { notify } from '../../../lib/notify';
import { fieldProblems } from '../../../lib/problem';
import { keyPerText } from '../../../lib/unique';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input, Textarea } from '../../../ui/Input';
import { Switch } from '../../../ui/Switch';
import { ChangesEditor } from './ChangesEditor';
import { useCreateMacroMutation, useUpdateMacroMutation } from './macros.api';

type Errors = Partial<Record<'name' | 'content', string>>;
const empty: CreateMacro = { name: '', content: '', is_internal: false, changes: {}, is_shared: false };

function errorsOf({ name, content, changes }: CreateMacro): Errors {
  const unknown = unknownVariables(content)[0];
  return {
    ...(name.trim() === '' ? { name: 'Enter a name' } : {}),
    ...(content.trim() === '' && Object.keys(changes).length === 0 ? { content: 'Enter a text or choose changes' } : {}),
    ...(unknown === undefined ? {} : { content: `{{${unknown}}} isn’t a variable. Choose one from the list below.` }),
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
      <p className="mb-1.5 text-xs text-muted">Variables are filled in when you use the reply. Choose one to insert it.</p>
      <ul aria-label="Variables" className="flex flex-wrap gap-1">
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
      <Field label="Text" optional error={error}>
        {(field) => (
          <Textarea
            {...field}
            ref={box}
            dir="auto"
            rows={6}
            value={content}
            maxLength={ticketLimits.comment}
            className="max-h-[30vh]"
            placeholder="Hello {{customer.name}}, …"
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
      <Variables onInsert={insert} />
    </div>
  );
}

/** Edits a canned reply: its text, its ticket changes and its sharing. */
export function MacroForm({ macro, onClose }: { macro?: Macro | undefined; onClose: () => void }) {
  const [values, setValues] = useState<CreateMacro>(macro ? pick(macro) : empty);
  const [errors, setErrors] = useState<Errors>({});
  const { isSaving, save } = useSave(macro);
  const set = (news: Partial<CreateMacro>) => {
    setValues((current) => ({ ...current, ...news }));
    setErrors({});
  };
  const submit = async () => {
    const found = errorsOf(values);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const error = await save({ ...values, name: values.name.trim(), content: values.content.trim() });
    if (error) {
      setErrors(Object.fromEntries(fieldProblems(error).map(({ path, message }) => [path, message])));
      return isFormProblem(error, { name: '', content: '' }) && notify.problem(error, 'Failed to save the canned reply');
    }
    notify.success('Canned reply saved');
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={macro ? 'Edit canned reply' : 'New canned reply'}
      className="max-w-2xl"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isSaving} onClick={() => void submit()}>
            Save
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
        <Field label="Name" required error={errors.name}>
          {(field) => (
            <Input {...field} value={values.name} maxLength={macroLimits.name} onChange={({ target }) => set({ name: target.value })} />
          )}
        </Field>
        <TextField content={values.content} error={errors.content} onChange={(content) => set({ content })} />
        <ChangesEditor changes={values.changes} onChange={(changes: ChangesWithComment) => set({ changes })} />
        <div className="flex flex-col gap-3 border-t pt-4">
          <Switch label="Internal note" checked={values.is_internal} onChange={(is_internal) => set({ is_internal })} />
          <Switch label="Shared with the team" checked={values.is_shared} onChange={(is_shared) => set({ is_shared })} />
        </div>
      </form>
    </Dialog>
  );
}

const pick = ({ name, content, is_internal, changes, is_shared }: Macro): CreateMacro => ({
  name,
  content,
  is_internal,
  changes,
  is_shared,
});
