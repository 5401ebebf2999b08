import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { cn } from '../../../lib/cn';
import { Skeleton } from '../../../ui/Skeleton';

/** Closes on a press outside the panel. */
function useCloseOutside(onClose: () => void) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const listen = (event: PointerEvent) => !panel.current?.contains(event.target as Node) && onClose();
    document.addEventListener('pointerdown', listen);
    return () => document.removeEventListener('pointerdown', listen);
  }, [onClose]);
  return panel;
}

/** Runs `work` now if the search has returned, otherwise when it returns: people press Enter right after the last letter. */
function useOnceCurrent(isCurrent: boolean, work: (isShift: boolean) => void) {
  const waiting = useRef<boolean>(undefined);
  useEffect(() => {
    if (!isCurrent || waiting.current === undefined) return;
    const isShift = waiting.current;
    waiting.current = undefined;
    work(isShift);
  });
  return (isShift: boolean) => {
    if (isCurrent) work(isShift);
    else waiting.current = isShift;
  };
}

const consume = (event: KeyboardEvent) => {
  event.preventDefault();
  event.stopPropagation();
};

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
};

interface OptionProps {
  id: string;
  isActive: boolean;
  onPick: (isShift: boolean) => void;
  children: ReactNode;
}
function Option({ id, isActive, onPick, children }: OptionProps) {
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <li
      ref={element}
      role="option"
      id={id}
      aria-selected={isActive}
      onClick={({ shiftKey }) => onPick(shiftKey)}
      className={cn('cursor-default rounded-sm px-2 py-1.5', isActive ? 'bg-hover' : 'hover:bg-hover')}
    >
      {children}
    </li>
  );
}

interface SearchPickerProps<Item> {
  label: string;
  searchLabel: string;
  listLabel?: string;
  search: string;
  maxLength?: number;
  onSearch: (search: string) => void;
  /** What the search has found; undefined while it is loading. */
  items: readonly Item[] | undefined;
  /** Whether `items` belong to `search`; if not, Enter waits until they do. */
  isCurrent?: boolean;
  keyOf: (item: Item) => string;
  renderItem: (item: Item) => ReactNode;
  onPick: (item: Item, isShift: boolean) => void;
  onClose: () => void;
  /** Shown if loading has failed, and if nothing was found. */
  error: string | undefined;
  nothingFound: string;
  footer: ReactNode;
}

/** A panel above the composer with a search and what it finds. The focus stays in the search. */
export function SearchPicker<Item>(props: SearchPickerProps<Item>) {
  const { label, searchLabel, listLabel = label, search, onSearch, items, isCurrent = true, onPick, onClose, error, nothingFound } = props;
  const id = useId();
  const [at, setAt] = useState(0);
  const panel = useCloseOutside(onClose);
  const count = items?.length ?? 0;
  const active = Math.min(at, count - 1);
  const activeItem = items?.[active];
  const pickOnceCurrent = useOnceCurrent(isCurrent, (isShift) => activeItem !== undefined && onPick(activeItem, isShift));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = count > 0 ? steps[event.key] : undefined;
    if (step) setAt(step(active, count));
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) pickOnceCurrent(event.shiftKey);
    else return;
    consume(event);
  };
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label={label}
      onKeyDown={(event) => event.key === 'Escape' && (consume(event), onClose())}
      className="absolute bottom-full left-0 z-20 mb-1 flex max-h-80 w-96 max-w-full animate-pop flex-col rounded-lg border border-line-strong bg-raised shadow-overlay"
    >
      <input
        autoFocus
        role="combobox"
        aria-label={searchLabel}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={activeItem === undefined ? undefined : `${id}-${active}`}
        placeholder={searchLabel}
        value={search}
        maxLength={props.maxLength}
        onChange={({ target }) => {
          onSearch(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className="h-10 shrink-0 border-b bg-transparent px-3 outline-none touch:text-base"
      />
      <ul role="listbox" id={id} aria-label={listLabel} aria-busy={!items && !error} className="min-h-0 flex-1 overflow-y-auto p-1">
        {!items && !error && <Skeleton className="m-1 h-10" />}
        {items?.map((item, index) => (
          <Option key={props.keyOf(item)} id={`${id}-${index}`} isActive={index === active} onPick={(isShift) => onPick(item, isShift)}>
            {props.renderItem(item)}
          </Option>
        ))}
      </ul>
      {error && !items && <p className="px-3 py-2 text-muted">{error}</p>}
      {items?.length === 0 && <p className="px-3 pt-1 pb-3 text-muted">{nothingFound}</p>}
      {props.footer}
    </div>
  );
}
