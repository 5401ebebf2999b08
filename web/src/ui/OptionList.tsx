import { Check } from 'lucide-react';
import { useLayoutEffect, useRef, type HTMLAttributes, type ReactNode } from 'react';
import { cn } from '../lib/cn';

const page = 8;

/** The option that a key moves to from the one at `at`; undefined for all other keys. */
export function movedTo(key: string, at: number, count: number): number | undefined {
  const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page };
  const to = moves[key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1);
}

/** The id of an option, for `aria-activedescendant` of the element that has the focus. */
export const optionId = (listId: string, index: number) => `${listId}-${index}`;

interface OptionListProps<Option> extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  id: string;
  label: string;
  options: readonly Option[];
  /** The option that the next Enter chooses. It is scrolled into view, unless the pointer chose it. */
  at: number;
  isChosen: (option: Option) => boolean;
  onPoint: (index: number) => void;
  onPick: (option: Option) => void;
  /** The content of an option. */
  children: (option: Option) => ReactNode;
}

/** The options of a popup. The focus stays on one element, the list itself or its input, which handles the keys. */
export function OptionList<Option extends { value: string }>({
  id,
  label,
  options,
  at,
  isChosen,
  onPoint,
  onPick,
  children,
  className,
  ...props
}: OptionListProps<Option>) {
  const list = useRef<HTMLDivElement>(null);
  const pointedAt = useRef<number>(undefined);
  useLayoutEffect(() => {
    // Half-visible options must not move under the pointer.
    if (pointedAt.current !== at) list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
    pointedAt.current = undefined;
  }, [at, options.length]);
  const point = (index: number) => {
    if (index === at) return;
    pointedAt.current = index;
    onPoint(index);
  };
  return (
    <div ref={list} role="listbox" id={id} aria-label={label} className={cn('max-h-80 overflow-y-auto p-1', className)} {...props}>
      {options.map((option, index) => (
        <div
          key={option.value}
          role="option"
          id={optionId(id, index)}
          aria-selected={isChosen(option)}
          onPointerMove={() => point(index)}
          onClick={() => onPick(option)}
          className={cn('flex h-8 cursor-default items-center gap-2 rounded-sm px-2 select-none touch:h-10', index === at && 'bg-hover')}
        >
          {children(option)}
          <Check className={cn('ml-auto size-3.5 shrink-0 text-accent-text', !isChosen(option) && 'invisible')} aria-hidden />
        </div>
      ))}
    </div>
  );
}
