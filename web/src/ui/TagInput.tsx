import { X } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { cn } from '../lib/cn';
import { t } from '../lib/staff-texts';
import type { FieldControl } from './Field';

const Tag = ({ tag, onRemove }: { tag: string; onRemove: () => void }) => (
  <span className="inline-flex h-5 max-w-full items-center gap-0.5 rounded-sm bg-gray-soft pl-1.5 text-xs touch:h-7">
    <span className="truncate">{tag}</span>
    <button
      type="button"
      aria-label={t('ui.remove_tag', { tag })}
      onClick={onRemove}
      className="grid size-5 place-items-center text-muted hover:text-ink touch:size-7"
    >
      <X className="size-3" aria-hidden />
    </button>
  </span>
);

/** A list of short texts: Enter or a comma adds one, Backspace in the empty input removes the last one. */
export function TagInput({
  value,
  onChange,
  max = 20,
  maxLength = 50,
  suggestions = [],
  control,
}: {
  value: string[];
  onChange: (tags: string[]) => void;
  max?: number;
  maxLength?: number;
  suggestions?: readonly string[];
  control: FieldControl;
}) {
  const [text, setText] = useState('');
  const listId = useId();
  const add = (typed = text) => {
    const tag = typed.trim();
    if (tag && !value.includes(tag) && value.length < max) onChange([...value, tag]);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === 'Enter' && text.trim() !== '') || event.key === ',') {
      event.preventDefault();
      add();
    } else if (event.key === 'Backspace' && text === '') onChange(value.slice(0, -1));
  };
  return (
    <div
      className={cn(
        'flex min-h-8 flex-wrap items-center gap-1 rounded-md border border-control/60 bg-surface px-1.5 py-1 hover:border-control',
        'has-[input:focus-visible]:border-focus has-[input:focus-visible]:outline-1 has-[input:focus-visible]:outline-focus touch:min-h-10',
      )}
    >
      {value.map((tag) => (
        <Tag key={tag} tag={tag} onRemove={() => onChange(value.filter((each) => each !== tag))} />
      ))}
      <input
        {...control}
        value={text}
        maxLength={maxLength}
        {...(suggestions.length > 0 ? { list: listId } : {})}
        onChange={({ target, nativeEvent }) => {
          // Browsers replace the text, rather than insert a character, when the user chooses a suggestion.
          const isChosen = (nativeEvent as InputEvent).inputType === 'insertReplacementText' && suggestions.includes(target.value);
          if (isChosen) add(target.value);
          else setText(target.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => add()}
        className="h-5 min-w-24 flex-1 bg-transparent px-1 outline-none touch:h-7 touch:text-base"
      />
      <datalist id={listId}>{suggestions.map((each) => !value.includes(each) && <option key={each} value={each} />)}</datalist>
    </div>
  );
}
