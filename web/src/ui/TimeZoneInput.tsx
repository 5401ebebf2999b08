import { Check } from 'lucide-react';
import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { cn } from '../lib/cn';
import { t } from '../lib/staff-texts';
import type { FieldControl } from './Field';
import { Input } from './Input';
import { offsetText, searchZones, timeZoneOptions, zoneLabel, type TimeZoneOption } from '../lib/time-zones';

interface TimeZoneInputProps extends FieldControl {
  value: string;
  onChange: (zone: string) => void;
}

interface OptionProps {
  zone: TimeZoneOption;
  id: string;
  isChosen: boolean;
  isAt: boolean;
  onPoint: () => void;
  onPick: () => void;
}
const Option = ({ zone, id, isChosen, isAt, onPoint, onPick }: OptionProps) => (
  <div
    role="option"
    id={id}
    aria-selected={isChosen}
    onPointerMove={onPoint}
    onClick={onPick}
    className={cn('flex h-8 cursor-default items-center gap-2 rounded-sm px-2 select-none touch:h-10', isAt && 'bg-hover')}
  >
    <Check className={cn('size-3.5 shrink-0 text-accent-text', !isChosen && 'invisible')} aria-hidden />
    <span className="min-w-0 truncate">
      {zone.label}
      {zone.cities.length > 0 && <span className="text-muted"> · {zone.cities.slice(0, 3).join(', ')}</span>}
    </span>
    <span className="tabular ml-auto shrink-0 pl-2 text-xs text-muted">{offsetText(zone.offset)}</span>
  </div>
);

/** The text, the matching zones and the keyboard of the list. */
function useZoneSearch(value: string, onChange: (zone: string) => void) {
  const label = zoneLabel(value);
  // Undefined while the list is closed.
  const [typed, setTyped] = useState<string>();
  const [at, setAt] = useState(0);
  const isOpen = typed !== undefined;
  // The offsets of 400 zones take a moment, and most visitors of the page do not open the list.
  const [options, setOptions] = useState<TimeZoneOption[]>([]);
  const found = useMemo(() => (typed === undefined ? [] : searchZones(options, typed)), [options, typed]);

  const open = () => {
    if (isOpen) return;
    const all = timeZoneOptions(value, Date.now());
    setOptions(all);
    setTyped('');
    setAt(all.findIndex((option) => option.value === value));
  };
  const search = (text: string) => {
    if (!isOpen) open();
    // While the list is closed, typed text is appended to the name of the chosen zone: search for the typed part only.
    setTyped(isOpen || !text.startsWith(label) ? text : text.slice(label.length));
    setAt(0);
  };
  const pick = (zone: TimeZoneOption | undefined) => {
    if (zone) onChange(zone.value);
    setTyped(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 };
    const to = moves[event.key];
    if (to !== undefined && isOpen) setAt(Math.min(Math.max(to, 0), found.length - 1));
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') open();
    else if (event.key === 'Enter' && isOpen) pick(found[at]);
    else if (event.key === 'Escape' && isOpen) setTyped(undefined);
    else return;
    event.preventDefault();
  };
  return { text: typed ?? label, isOpen, found, at, setAt, open, close: () => setTyped(undefined), search, pick, onKeyDown };
}

/** A time zone, found by typing a city or an offset. */
export function TimeZoneInput({ value, onChange, ...control }: TimeZoneInputProps) {
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const { text, isOpen, found, at, setAt, open, close, search, pick, onKeyDown } = useZoneSearch(value, onChange);
  useLayoutEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at, isOpen]);

  return (
    <div className="relative">
      <Input
        {...control}
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={found[at] ? `${listId}-${at}` : undefined}
        placeholder={t('ui.search_city_or_offset')}
        value={text}
        onChange={(event) => search(event.target.value)}
        onClick={open}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div
        ref={list}
        role="listbox"
        id={listId}
        aria-label={t('ui.cities_and_offsets')}
        // Otherwise the Tab key would stop at the list, because it scrolls.
        tabIndex={-1}
        // Losing focus closes the list, even if the user presses its scroll bar.
        onMouseDown={(event) => event.preventDefault()}
        className={cn(
          'absolute inset-x-0 top-full z-20 mt-1 max-h-80 overflow-y-auto rounded-lg border border-line-strong bg-raised p-1 shadow-overlay',
          (!isOpen || found.length === 0) && 'hidden',
        )}
      >
        {found.map((zone, index) => (
          <Option
            key={zone.value}
            zone={zone}
            id={`${listId}-${index}`}
            isChosen={zone.value === value}
            isAt={index === at}
            onPoint={() => setAt(index)}
            onPick={() => pick(zone)}
          />
        ))}
      </div>
      {isOpen && found.length === 0 && (
        <p
          role="status"
          className="absolute inset-x-0 top-full z-20 mt-1 rounded-lg border border-line-strong bg-raised p-3 text-muted shadow-overlay"
        >
          {t('ui.no_time_zone_matches')}
        </p>
      )}
    </div>
  );
}
