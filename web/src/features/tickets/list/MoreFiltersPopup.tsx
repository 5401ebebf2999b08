import { sortLabels, taskFilterLabels, taskFilters, ticketLimits, ticketSorts } from '@tandem/contracts/values';
import { Popover as Radix } from 'radix-ui';
import { Fragment, useState, type FormEvent, type ReactElement } from 'react';
import { useSession } from '../../../app/api';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import { TagInput } from '../../../ui/TagInput';
import { createdRanges, dayOf, lastDays, rangeDays, rangeOf, shiftDay } from './created-range';
import type { PopupFilter, TicketFilters } from './ticket-filters';
import { useFilters } from './use-filters';

const rangeOptions = [{ value: 'all', label: 'Any time' }, ...createdRanges, { value: 'custom', label: 'Custom range' }];
const taskOptions = [{ value: 'all', label: 'Any' }, ...taskFilters.map((value) => ({ value, label: taskFilterLabels[value] }))];
const sortOptions = ticketSorts.map((value) => ({ value, label: sortLabels[value] }));

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
      <Field label="Created">
        {(control) => <Select {...control} options={rangeOptions} value={isCustom ? 'custom' : rangeOf(filters)} onChange={choose} />}
      </Field>
      {isCustom && (
        <div className="grid grid-cols-2 gap-2">
          <Field label="From">
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
          <Field label="To">
            {(control) => <Input {...control} type="date" min={from} value={to} onChange={(event) => set(from, event.target.value)} />}
          </Field>
        </div>
      )}
    </>
  );
}

const trimmed = <T,>(value: T): T => (typeof value === 'string' ? (value.trim() as T) : value);

function controlsOf(draft: TicketFilters, setDraft: (draft: TicketFilters) => void): Record<PopupFilter, ReactElement | null> {
  const set = (part: TicketFilters) => setDraft({ ...draft, ...part });
  return {
    tag: (
      <Field label="Tags" hint="Press Enter or comma to add. Matches any of these tags.">
        {(control) => <TagInput control={control} value={draft.tag ?? []} onChange={(tag) => set({ tag })} />}
      </Field>
    ),
    category: (
      <Field label="Category">
        {(control) => (
          <Input
            {...control}
            maxLength={ticketLimits.category}
            value={draft.category ?? ''}
            onChange={(event) => set({ category: event.target.value })}
          />
        )}
      </Field>
    ),
    customer_email: (
      <Field label="Customer email">
        {(control) => (
          <Input
            {...control}
            type="email"
            maxLength={ticketLimits.email}
            value={draft.customer_email ?? ''}
            onChange={(event) => set({ customer_email: event.target.value })}
          />
        )}
      </Field>
    ),
    task: (
      <Field label="Task">
        {(control) => (
          <Select
            {...control}
            options={taskOptions}
            value={draft.task ?? 'all'}
            onChange={(value) => {
              const { task: _, ...others } = draft;
              setDraft(value === 'all' ? others : { ...others, task: value as NonNullable<TicketFilters['task']> });
            }}
          />
        )}
      </Field>
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
    // Part of the range above.
    created_to: null,
  };
}

/** Filters apply on submit; applying each keystroke would send a request each time. */
function MoreFiltersForm({ narrow, onDone }: { narrow: boolean; onDone: () => void }) {
  const { filters, change } = useFilters();
  const [draft, setDraft] = useState<TicketFilters>(filters);
  const set = (part: TicketFilters) => setDraft({ ...draft, ...part });
  const controls = controlsOf(draft, setDraft);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const names = Object.keys(controls) as PopupFilter[];
    const changes = Object.fromEntries(names.map((name) => [name, trimmed(draft[name])]));
    change(narrow ? { ...changes, sort: draft.sort } : changes);
    onDone();
  };
  return (
    <form onSubmit={apply} className="flex flex-col gap-3">
      {Object.entries(controls).map(([name, control]) => (
        <Fragment key={name}>{control}</Fragment>
      ))}
      {narrow && (
        <Field label="Sort">
          {(control) => (
            <Select
              {...control}
              options={sortOptions}
              value={draft.sort ?? 'newest'}
              onChange={(value) => set({ sort: value as NonNullable<TicketFilters['sort']> })}
            />
          )}
        </Field>
      )}
      <div className="mt-1 flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary">
          Apply
        </Button>
      </div>
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
          aria-label="More filters"
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
