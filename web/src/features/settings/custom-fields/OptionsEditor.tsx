import { customFieldLimits } from '@tandem/contracts/values';
import { ArrowDown, ArrowUp, Ellipsis, Plus, X } from 'lucide-react';
import { useId, type ClipboardEvent, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { announce } from '../../../lib/announce';
import { cn } from '../../../lib/cn';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Menu } from '../../../ui/Menu';
import { useSortable } from '../../../ui/use-sortable';
import { FormError } from '../FormError';
import { DragHandle } from '../../../app/ordered-list/OrderedList';
import { filledOptions, newOption, optionPath, type OptionRow } from './field-form';
import type { FieldFormState } from './use-field-form';

/**
 * The changes of the rows.
 *
 * @param focus moves the focus to the row that the user edits next; without an id, to the button that adds one
 */
function optionChanges({ draft: { options: rows }, set }: FieldFormState, focus: (id: string | undefined) => void) {
  const setRows = (options: OptionRow[]) => set({ options });
  const isFull = rows.length >= customFieldLimits.options;
  return {
    rows,
    isFull,
    rename: (id: string, label: string) => setRows(rows.map((row) => (row.id === id ? { ...row, label } : row))),
    addAfter: (index: number) => {
      if (isFull) return;
      const row = newOption();
      // At once: what the user types next belongs to the new option.
      flushSync(() => setRows(rows.toSpliced(index + 1, 0, row)));
      focus(row.id);
    },
    remove: (id: string) => {
      const index = rows.findIndex((row) => row.id === id);
      const others = rows.filter((row) => row.id !== id);
      setRows(others);
      // After the menu of the row, which returns the focus to its own button.
      setTimeout(() => focus((others[index] ?? others.at(-1))?.id));
    },
    move: (id: string, to: number) => {
      const row = rows.find((each) => each.id === id);
      if (!row || to < 0 || to >= rows.length) return;
      setRows(rows.filter((each) => each !== row).toSpliced(to, 0, row));
      announce(t('settings.name_moved_to', { name: row.label, position: to + 1, count: rows.length }));
    },
    /** Adds an option per pasted line, after the row or in place of an empty one. Labels that exist are skipped. */
    paste: (index: number, event: ClipboardEvent) => {
      const lines = event.clipboardData.getData('text').split(/\r?\n/);
      const labels = lines.map((line) => line.trim().slice(0, customFieldLimits.label)).filter(Boolean);
      if (labels.length < 2) return;
      event.preventDefault();
      const row = rows[index]!;
      const isEmpty = row.value === null && row.label.trim() === '';
      const known = rows.map(({ label }) => label.trim());
      const wanted = [...new Set(labels)].filter((label) => !known.includes(label));
      const added = wanted.slice(0, customFieldLimits.options - rows.length + (isEmpty ? 1 : 0)).map(newOption);
      flushSync(() => setRows(rows.toSpliced(isEmpty ? index : index + 1, isEmpty && added.length > 0 ? 1 : 0, ...added)));
      focus(added.at(-1)?.id ?? row.id);
      announce(t('settings.fields.options_added', { count: added.length }));
      if (added.length < wanted.length) notify.info(t('settings.fields.at_most_options', { count: customFieldLimits.options }));
    },
  };
}
type OptionChanges = ReturnType<typeof optionChanges>;

interface RowMenuProps {
  name: string;
  onMove: (by: number) => void;
  onRemove: () => void;
}
const RowMenu = ({ name, onMove, onRemove }: RowMenuProps) => (
  <Menu
    trigger={
      <Button variant="ghost" size="icon-sm" aria-label={t('settings.fields.actions_for_name', { name })}>
        <Ellipsis aria-hidden />
      </Button>
    }
    entries={[
      { label: t('settings.move_up'), icon: ArrowUp, onSelect: () => onMove(-1) },
      { label: t('settings.move_down'), icon: ArrowDown, onSelect: () => onMove(1) },
      { label: t('settings.fields.remove'), icon: X, onSelect: onRemove },
    ]}
  />
);

interface OptionInputProps {
  row: OptionRow;
  index: number;
  options: OptionChanges;
  error: string | undefined;
}
const OptionInput = ({ row, index, options, error }: OptionInputProps) => (
  <Field label={t('settings.fields.option_number', { number: index + 1 })} hideLabel error={error} className="flex-1">
    {(control) => (
      <Input
        {...control}
        data-option={row.id}
        dir="auto"
        autoComplete="off"
        maxLength={customFieldLimits.label}
        placeholder={t('settings.fields.option_number', { number: index + 1 })}
        value={row.label}
        onChange={({ target }) => options.rename(row.id, target.value)}
        onPaste={(event) => options.paste(index, event)}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (row.label.trim() !== '') options.addAfter(index);
        }}
      />
    )}
  </Field>
);

interface OptionItemProps extends OptionInputProps {
  value: string | undefined;
  /** The handle, connected with its explanation. */
  handle: (name: string) => ReactNode;
  style: CSSProperties | undefined;
  isDragged: boolean;
}
function OptionItem({ value, handle, style, isDragged, ...props }: OptionItemProps) {
  const { row, index, options } = props;
  const name = row.label.trim() || t('settings.fields.option_number', { number: index + 1 });
  return (
    <li
      style={style}
      className={cn('relative flex items-start gap-1.5 rounded-md bg-surface py-1', isDragged && 'shadow-overlay ring-1 ring-line-strong')}
    >
      <div className="flex h-8 items-center touch:h-10">{handle(name)}</div>
      <OptionInput {...props} />
      <code className="flex h-8 w-24 items-center text-xs text-muted max-sm:hidden touch:h-10">
        <span className="truncate">{value}</span>
      </code>
      <div className="flex h-8 items-center touch:h-10">
        <RowMenu name={name} onMove={(by) => options.move(row.id, index + by)} onRemove={() => options.remove(row.id)} />
      </div>
    </li>
  );
}

/** Without an id, the button that adds an option. */
const focusOption = (editorId: string, id: string | undefined): void =>
  document
    .getElementById(editorId)
    ?.querySelector<HTMLElement>(id ? `[data-option="${CSS.escape(id)}"]` : '[data-add]')
    ?.focus();

/** The options of a choice in their order, with the values that tickets and the API contain. */
export function OptionsEditor({ form }: { form: FieldFormState }) {
  const editorId = useId();
  const hintId = `${editorId}-hint`;
  const options = optionChanges(form, (id) => focusOption(editorId, id));
  const { rows } = options;
  const ids = rows.map(({ id }) => id);
  const { list, styleOf, handleProps, draggedId } = useSortable(ids, options.move);
  const filled = filledOptions(rows);
  return (
    <div id={editorId} className="flex flex-col gap-2">
      <p id={hintId} className="sr-only">
        {t('settings.fields.how_to_move_option')}
      </p>
      <ol ref={list} aria-label={t('settings.fields.options')} className="flex flex-col">
        {rows.map((row, index) => (
          <OptionItem
            key={row.id}
            row={row}
            index={index}
            options={options}
            error={form.errors[optionPath(row.id)]}
            value={filled.find(({ id }) => id === row.id)?.value}
            handle={(name) => <DragHandle name={name} hintId={hintId} handle={handleProps(row.id)} />}
            style={styleOf(row.id)}
            isDragged={row.id === draggedId}
          />
        ))}
      </ol>
      <Button
        data-add=""
        size="sm"
        variant="ghost"
        className="self-start"
        disabled={options.isFull}
        onClick={() => options.addAfter(rows.length - 1)}
      >
        <Plus aria-hidden />
        {t('settings.fields.add_option')}
      </Button>
      {form.errors.options && <FormError>{form.errors.options}</FormError>}
      <p className="text-xs text-pretty text-muted">
        {form.isNew ? t('settings.fields.about_pasting') : t('settings.fields.about_removed_options')}
      </p>
    </div>
  );
}
