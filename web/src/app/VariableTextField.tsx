import { macroVariables, ticketLimits, type MacroVariable } from '@tandem/contracts/values';
import { useRef } from 'react';
import { t } from '../lib/staff-texts';
import { Field } from '../ui/Field';
import { Textarea } from '../ui/Input';

interface VariablesProps {
  names: readonly MacroVariable[];
  onInsert: (variable: MacroVariable) => void;
}
function Variables({ names, onInsert }: VariablesProps) {
  return (
    <div>
      <p className="mb-1.5 text-xs text-muted">{t('app.what_variables_are')}</p>
      <ul aria-label={t('app.variables')} className="flex flex-wrap gap-1">
        {names.map((variable) => (
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

const allVariables = Object.keys(macroVariables) as MacroVariable[];

interface VariableTextFieldProps {
  label: string;
  content: string;
  error: string | undefined;
  onChange: (content: string) => void;
  isOptional?: boolean;
  placeholder?: string;
  /** The variables that can be inserted; all by default. */
  variables?: readonly MacroVariable[];
}

/** A text with variables of a canned reply, which can be inserted at its cursor. */
export function VariableTextField(props: VariableTextFieldProps) {
  const { label, content, error, onChange, isOptional, placeholder, variables = allVariables } = props;
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
      <Field label={label} error={error} {...(isOptional ? { optional: true } : { required: true })}>
        {(field) => (
          <Textarea
            {...field}
            ref={box}
            dir="auto"
            rows={6}
            value={content}
            maxLength={ticketLimits.comment}
            className="max-h-[30vh]"
            placeholder={placeholder}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
      <Variables names={variables} onInsert={insert} />
    </div>
  );
}
