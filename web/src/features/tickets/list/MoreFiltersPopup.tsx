import { taskFilterLabels, taskFilters, ticketLimits } from '@tandem/contracts/values';
import { Popover as Radix } from 'radix-ui';
import { Fragment, useEffect, useLayoutEffect, useRef, useState, type FormEvent, type ReactElement } from 'react';
import { useStore } from 'react-redux';
import { useSession } from '../../../app/api';
import type { AppStore } from '../../../app/store';
import { TicketTagInput } from '../../../app/TicketTagInput';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Select, type SelectOption } from '../../../ui/Select';
import { createdRanges, dayOf, lastDays, rangeDays, rangeOf, shiftDay } from './created-range';
import type { PopupFilter, TicketFilters } from './ticket-filters';
import { loadedRows } from './ticket-list.api';
import { useFilters } from './use-filters';
import { useSortOptions } from './use-sort-options';

const rangeOptions = [
  { value: 'all', label: t('tickets.list.any_time') },
  ...createdRanges,
  { value: 'custom', label: t('tickets.list.custom_range') },
];
const taskOptions = [
  { value: 'all', label: t('tickets.list.any') },
  ...taskFilters.map((value) => ({ value, label: taskFilterLabels[value] })),
];
const snoozedOptions = [
  { value: 'all', label: t('tickets.list.any') },
  { value: 'false', label: t('tickets.list.hide_snoozed_tickets') },
  { value: 'true', label: t('tickets.list.only_snoozed_tickets') },
];

type Created = Pick<TicketFilters, 'created_from' | 'created_to'>;

/** Today, the last days, or a custom range that includes its last day. */
function CreatedRange({ filters, onChange }: { filters: TicketFilters; onChange: (range: Created) => void }) {
  const [isCustom, setIsCustom] = useState(rangeOf(filters) === 'custom');
  const { from, to } = rangeDays(filters, useSession().organization?.time_zone ?? 'UTC');
  const choose = (value: string) => {
    const ready = createdRanges.find((range) => range.value === value);
    setIsCustom(value === 'custom');
    if (ready) onChange({ ...lastDays(ready.days) });
    else if (value === 'all') onChange({});
  };
  const set = (first: string, last: string) =>
    onChange({ ...(first ? { created_from: first } : {}), ...(last ? { created_to: shiftDay(last, 1) } : {}) });
  return (
    <>
      <Field label={t('tickets.list.created')}>
        {(control) => <Select {...control} options={rangeOptions} value={isCustom ? 'custom' : rangeOf(filters)} onChange={choose} />}
      </Field>
      {isCustom && (
        <div className="grid grid-cols-2 gap-2">
          <Field label={t('tickets.list.from')}>
            {(control) => (
              <Input
                {...control}
                type="date"
                max={to || dayOf(new Date())}
                value={from}
                onChange={(event) => set(event.target.value, to)}
              />
            )}
          </Field>
          <Field label={t('tickets.list.to')}>
            {(control) => <Input {...control} type="date" min={from} value={to} onChange={(event) => set(from, event.target.value)} />}
          </Field>
        </div>
      )}
    </>
  );
}

/** Selects one of several values, or any. */
function ChoiceField({
  label,
  name,
  options,
  draft,
  onChange,
}: {
  label: string;
  name: 'task' | 'snoozed';
  options: SelectOption[];
  draft: TicketFilters;
  onChange: (draft: TicketFilters) => void;
}) {
  const choose = (value: string) => {
    const { [name]: _, ...others } = draft;
    onChange(value === 'all' ? others : { ...others, [name]: value });
  };
  return (
    <Field label={label}>{(control) => <Select {...control} options={options} value={draft[name] ?? 'all'} onChange={choose} />}</Field>
  );
}

const trimmed = <T,>(value: T): T => (typeof value === 'string' ? (value.trim() as T) : value);

function controlsOf(
  draft: TicketFilters,
  setDraft: (draft: TicketFilters) => void,
  suggestions: Suggestions,
): Record<PopupFilter, ReactElement | null> {
  const set = (part: TicketFilters) => setDraft({ ...draft, ...part });
  return {
    tag: (
      <Field label={t('tickets.list.tags')} hint={t('tickets.list.how_to_filter_by_tags')}>
        {(control) => (
          <TicketTagInput control={control} value={draft.tag ?? []} onChange={(tag) => set({ tag })} suggestions={suggestions.tag} />
        )}
      </Field>
    ),
    category: (
      <Field label={t('tickets.list.category')}>
        {(control) => (
          <Input
            {...control}
            maxLength={ticketLimits.category}
            list="suggested-categories"
            value={draft.category ?? ''}
            onChange={(event) => set({ category: event.target.value })}
          />
        )}
      </Field>
    ),
    customer_email: (
      <Field label={t('tickets.list.customer_email')}>
        {(control) => (
          <Input
            {...control}
            type="email"
            maxLength={ticketLimits.email}
            list="suggested-customers"
            value={draft.customer_email ?? ''}
            onChange={(event) => set({ customer_email: event.target.value })}
          />
        )}
      </Field>
    ),
    task: <ChoiceField label={t('tickets.list.task')} name="task" options={taskOptions} draft={draft} onChange={setDraft} />,
    snoozed: (
      <ChoiceField label={t('tickets.list.snoozed_tickets')} name="snoozed" options={snoozedOptions} draft={draft} onChange={setDraft} />
    ),
    created_from: (
      <CreatedRange
        filters={draft}
        onChange={({ created_from, created_to }) => {
          const { created_from: _, created_to: __, ...others } = draft;
          setDraft({ ...others, ...(created_from ? { created_from } : {}), ...(created_to ? { created_to } : {}) });
        }}
      />
    ),
    // The range control above sets both ends.
    created_to: null,
  };
}

interface Suggestions {
  tag: string[];
  category: string[];
  customer_email: string[];
}
const distinct = (values: (string | null)[]): string[] => [...new Set(values.filter((value) => value !== null))].sort();
const maxSuggestions = 100;

/** The values of the loaded tickets, so that suggestions need no request. */
function useSuggestions(): Suggestions {
  const store = useStore() as AppStore;
  return useState((): Suggestions => {
    const rows = loadedRows(store);
    return {
      tag: distinct(rows.flatMap(({ tags }) => tags)).slice(0, maxSuggestions),
      category: distinct(rows.map(({ category }) => category)).slice(0, maxSuggestions),
      customer_email: distinct(rows.map(({ customer_email }) => customer_email)).slice(0, maxSuggestions),
    };
  })[0];
}

const SuggestionList = ({ id, values }: { id: string; values: readonly string[] }) => (
  <datalist id={id}>
    {values.map((value) => (
      <option key={value} value={value} />
    ))}
  </datalist>
);

/** Time without another change after which the filters apply: each keystroke would send a request otherwise. */
const restMs = 300;

/** Calls `apply` a moment after the last change, and for a change that was not applied before the popup is closed. */
function useApplied(draft: TicketFilters, apply: () => void): void {
  const latest = useRef(apply);
  useLayoutEffect(() => {
    latest.current = apply;
  });
  const applied = useRef(draft);
  const pending = useRef<() => void>(undefined);
  useEffect(() => {
    if (applied.current === draft) return;
    const applyNow = () => {
      if (applied.current === draft) return;
      applied.current = draft;
      latest.current();
    };
    const timer = setTimeout(applyNow, restMs);
    pending.current = applyNow;
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => () => pending.current?.(), []);
}

/** Filters apply as they are set. */
function MoreFiltersForm({ narrow, onDone }: { narrow: boolean; onDone: () => void }) {
  const { filters, change } = useFilters();
  const sorts = useSortOptions(filters.sort);
  const [draft, setDraft] = useState<TicketFilters>(filters);
  const set = (part: TicketFilters) => setDraft({ ...draft, ...part });
  const suggestions = useSuggestions();
  const controls = controlsOf(draft, setDraft, suggestions);
  const apply = () => {
    const names = Object.keys(controls) as PopupFilter[];
    const changes = Object.fromEntries(names.map((name) => [name, trimmed(draft[name])]));
    change(narrow ? { ...changes, sort: draft.sort } : changes);
  };
  useApplied(draft, apply);
  const finish = (event: FormEvent) => {
    event.preventDefault();
    onDone();
  };
  return (
    <form onSubmit={finish} className="flex flex-col gap-3">
      {Object.entries(controls).map(([name, control]) => (
        <Fragment key={name}>{control}</Fragment>
      ))}
      {narrow && (
        <Field label={t('tickets.list.sort')}>
          {(control) => (
            <Select
              {...control}
              options={sorts.options}
              onOpenChange={sorts.onOpenChange}
              value={draft.sort ?? 'newest'}
              onChange={(value) => set({ sort: value as NonNullable<TicketFilters['sort']> })}
            />
          )}
        </Field>
      )}
      <div className="mt-1 flex justify-end gap-2">
        <Button type="submit">{t('tickets.list.done')}</Button>
      </div>
      <SuggestionList id="suggested-categories" values={suggestions.category} />
      <SuggestionList id="suggested-customers" values={suggestions.customer_email} />
    </form>
  );
}

/** The less common filters, initially open (MoreFilters.tsx). */
export function MoreFiltersPopup({ trigger, narrow }: { trigger: ReactElement; narrow: boolean }) {
  const [open, setOpen] = useState(true);
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={t('tickets.list.more_filters')}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-popover-content-available-height) w-80 animate-pop overflow-y-auto rounded-lg border border-line-strong bg-raised p-4 shadow-overlay"
        >
          <MoreFiltersForm narrow={narrow} onDone={() => setOpen(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
