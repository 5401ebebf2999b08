import { Popover as Radix } from 'radix-ui';
import { useId, useState, type InputHTMLAttributes, type KeyboardEvent } from 'react';
import { t } from '../../lib/staff-texts';
import { Input } from '../../ui/Input';
import { movedTo, OptionList, optionId } from '../../ui/OptionList';
import type { SelectOption } from '../../ui/SelectFace';
import { pickerFace, searchesAbove, type OptionPickerProps } from './option-picker-face';

const clear = '';

/** The rows for a search: the first one of an unfiltered list clears the selection. */
function useRows({ options, isMultiple }: OptionPickerProps) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const empty: SelectOption = { value: clear, label: isMultiple ? t('app.fields.clear_selection') : t('app.fields.no_value') };
  const rows = wanted ? options.filter(({ label }) => label.toLowerCase().includes(wanted)) : [empty, ...options];
  return { search, setSearch, rows };
}

interface SearchProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'aria-activedescendant' | 'onKeyDown'> {
  listId: string;
  value: string;
  onChange: (text: string) => void;
}
const Search = ({ listId, value, onChange, ...keys }: SearchProps) => (
  <div className="border-b p-1.5">
    <Input
      role="combobox"
      aria-label={t('app.fields.search_options')}
      aria-expanded
      aria-controls={listId}
      aria-autocomplete="list"
      autoComplete="off"
      placeholder={t('app.fields.search_options')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      {...keys}
    />
  </div>
);

function Options(props: OptionPickerProps & { onClose: () => void }) {
  const { label, options, value, isMultiple, onChange, onClose } = props;
  const id = useId();
  const { search, setSearch, rows } = useRows(props);
  const chosenAt = rows.findIndex((row) => value.includes(row.value));
  const [at, setAt] = useState(Math.max(0, chosenAt));
  const pick = (row: SelectOption | undefined) => {
    if (!row) return;
    const isChosen = value.includes(row.value);
    if (row.value === clear) onChange([]);
    else if (!isMultiple) onChange([row.value]);
    else onChange(isChosen ? value.filter((each) => each !== row.value) : [...value, row.value]);
    if (!isMultiple) onClose();
  };
  const hasSearch = options.length > searchesAbove;
  const onKeyDown = (event: KeyboardEvent) => {
    const to = movedTo(event.key, at, rows.length);
    if (to !== undefined) setAt(to);
    else if (event.key === 'Enter' || (event.key === ' ' && !hasSearch)) pick(rows[at]);
    else return;
    event.preventDefault();
  };
  const keys = { 'aria-activedescendant': rows[at] ? optionId(id, at) : undefined, onKeyDown };
  return (
    <>
      {hasSearch && (
        <Search
          listId={id}
          value={search}
          onChange={(text) => {
            setSearch(text);
            setAt(0);
          }}
          {...keys}
        />
      )}
      <OptionList
        id={id}
        label={label}
        options={rows}
        at={at}
        isChosen={(row) => (row.value === clear ? value.length === 0 : value.includes(row.value))}
        onPoint={setAt}
        onPick={pick}
        aria-multiselectable={isMultiple}
        {...(hasSearch ? { tabIndex: -1 } : { tabIndex: 0, ...keys })}
        className="outline-none empty:hidden"
      >
        {(row) => <span className="truncate">{row.label}</span>}
      </OptionList>
      {rows.length === 0 && (
        <p role="status" className="p-3 text-muted">
          {t('app.fields.no_option_matches')}
        </p>
      )}
    </>
  );
}

/** The list, loaded on demand by OptionPicker.tsx and therefore open when it mounts. */
export function OptionPickerPopup(props: OptionPickerProps) {
  const { control, onClosed } = props;
  const [open, setOpen] = useState(true);
  const changeOpen = (isOpen: boolean) => {
    setOpen(isOpen);
    if (!isOpen) onClosed?.();
  };
  return (
    // Modal, because the list would not scroll inside a dialog otherwise.
    <Radix.Root open={open} onOpenChange={changeOpen} modal>
      <Radix.Trigger asChild>
        <button type="button" role="combobox" aria-haspopup="listbox" {...control} {...pickerFace(props)} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          role="presentation"
          className="z-50 w-[max(12rem,var(--radix-popover-trigger-width))] max-w-[calc(100vw-1rem)] animate-pop overflow-hidden rounded-lg border border-line-strong bg-raised shadow-overlay"
        >
          <Options {...props} onClose={() => changeOpen(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
