import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { cn } from '../lib/cn';
import { t } from '../lib/staff-texts';
import type { FieldControl } from './Field';
import { Input } from './Input';
import { movedTo, OptionList, optionId } from './OptionList';
import { offsetText, searchZones, timeZoneOptions, zoneLabel, type TimeZoneOption } from '../lib/time-zones';

interface TimeZoneInputProps extends FieldControl {
  value: string;
  onChange: (zone: string) => void;
}

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
    const to = movedTo(event.key, at, found.length);
    if (to !== undefined && isOpen) setAt(to);
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
  const { text, isOpen, found, at, setAt, open, close, search, pick, onKeyDown } = useZoneSearch(value, onChange);

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
        aria-activedescendant={found[at] ? optionId(listId, at) : undefined}
        placeholder={t('ui.search_city_or_offset')}
        value={text}
        onChange={(event) => search(event.target.value)}
        onClick={open}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <OptionList
        id={listId}
        label={t('ui.cities_and_offsets')}
        options={found}
        at={at}
        isChosen={(zone) => zone.value === value}
        onPoint={setAt}
        onPick={pick}
        // Otherwise the Tab key would stop at the list, because it scrolls.
        tabIndex={-1}
        // Losing focus closes the list, even if the user presses its scroll bar.
        onMouseDown={(event) => event.preventDefault()}
        className={cn(
          'absolute inset-x-0 top-full z-20 mt-1 rounded-lg border border-line-strong bg-raised shadow-overlay',
          (!isOpen || found.length === 0) && 'hidden',
        )}
      >
        {(zone) => (
          <>
            <span className="min-w-0 truncate">
              {zone.label}
              {zone.cities.length > 0 && <span className="text-muted"> · {zone.cities.slice(0, 3).join(', ')}</span>}
            </span>
            <span className="tabular ml-auto shrink-0 pl-2 text-xs text-muted">{offsetText(zone.offset)}</span>
          </>
        )}
      </OptionList>
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
