import { Check } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { cn } from '../lib/cn';
import { MultiSelectFace, multiSelectClasses, type MultiSelectProps } from './MultiSelectFace';
import type { SelectOption } from './SelectFace';

function Option({
  option,
  id,
  chosen,
  at,
  onPoint,
  onPick,
}: {
  option: SelectOption;
  id: string;
  chosen: boolean;
  at: boolean;
  onPoint: () => void;
  onPick: () => void;
}) {
  return (
    <div
      role="option"
      id={id}
      aria-selected={chosen}
      onPointerMove={onPoint}
      onClick={onPick}
      className={cn('flex h-8 cursor-default items-center gap-2 rounded-sm px-2 select-none touch:h-10', at && 'bg-hover')}
    >
      {option.mark}
      <span className="truncate">{option.label}</span>
      <Check className={cn('ml-auto size-3.5 text-accent-text', !chosen && 'invisible')} aria-hidden />
    </div>
  );
}

/** The first option clears the selection; the others toggle, and the list stays open. */
function Options({ label, all, value, onChange, options }: MultiSelectProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const rows: SelectOption[] = [{ value: '', label: all }, ...options];
  const pick = (option: SelectOption) => {
    if (option.value === '') onChange([]);
    else onChange(value.includes(option.value) ? value.filter((each) => each !== option.value) : [...value, option.value]);
  };
  const move = (to: number) => {
    const next = Math.min(Math.max(to, 0), rows.length - 1);
    setAt(next);
    box.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 };
    const to = moves[event.key];
    const row = rows[at];
    if (to !== undefined) move(to);
    else if ((event.key === 'Enter' || event.key === ' ') && row) pick(row);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={box}
      role="listbox"
      aria-label={label}
      aria-multiselectable
      tabIndex={0}
      aria-activedescendant={`${id}-${at}`}
      onKeyDown={onKeyDown}
      className="max-h-80 overflow-y-auto p-1 outline-none"
    >
      {rows.map((option, index) => (
        <Option
          key={option.value}
          option={option}
          id={`${id}-${index}`}
          chosen={option.value === '' ? value.length === 0 : value.includes(option.value)}
          at={index === at}
          onPoint={() => setAt(index)}
          onPick={() => pick(option)}
        />
      ))}
    </div>
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
