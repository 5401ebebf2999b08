import { Popover as Radix } from 'radix-ui';
import { useId, useState, type KeyboardEvent } from 'react';
import { MultiSelectFace, multiSelectClasses, type MultiSelectProps } from './MultiSelectFace';
import { movedTo, OptionList, optionId } from './OptionList';
import type { SelectOption } from './SelectFace';

/** The first option clears the selection; the others toggle, and the list stays open. */
function Options({ label, all, value, onChange, options }: MultiSelectProps) {
  const id = useId();
  const [at, setAt] = useState(0);
  const rows: SelectOption[] = [{ value: '', label: all }, ...options];
  const pick = (option: SelectOption) => {
    if (option.value === '') onChange([]);
    else onChange(value.includes(option.value) ? value.filter((each) => each !== option.value) : [...value, option.value]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const ends: Record<string, number> = { Home: 0, End: rows.length - 1 };
    const to = ends[event.key] ?? movedTo(event.key, at, rows.length);
    const row = rows[at];
    if (to !== undefined) setAt(to);
    else if ((event.key === 'Enter' || event.key === ' ') && row) pick(row);
    else return;
    event.preventDefault();
  };
  return (
    <OptionList
      id={id}
      label={label}
      options={rows}
      at={at}
      isChosen={(option) => (option.value === '' ? value.length === 0 : value.includes(option.value))}
      onPoint={setAt}
      onPick={pick}
      aria-multiselectable
      tabIndex={0}
      aria-activedescendant={optionId(id, at)}
      onKeyDown={onKeyDown}
      className="outline-none"
    >
      {(option) => (
        <>
          {option.mark}
          <span className="truncate">{option.label}</span>
        </>
      )}
    </OptionList>
  );
}

/** The list, loaded on demand by MultiSelect.tsx and therefore open when it mounts. */
export function MultiSelectPopup(props: MultiSelectProps) {
  const [open, setOpen] = useState(true);
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>
        <button type="button" role="combobox" aria-haspopup="listbox" aria-label={props.label} className={multiSelectClasses(props)}>
          <MultiSelectFace {...props} />
        </button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          role="presentation"
          className="z-50 min-w-[max(12rem,var(--radix-popover-trigger-width))] animate-pop overflow-hidden rounded-lg border border-line-strong bg-raised shadow-overlay"
        >
          <Options {...props} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
