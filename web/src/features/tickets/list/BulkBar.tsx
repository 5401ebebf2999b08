import type { TicketSummary } from '@tandem/contracts';
import type { TicketPriority, TicketStatus } from '@tandem/contracts/values';
import { CircleCheck, Tags, UserRoundX, X } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { useState } from 'react';
import { useListMembersQuery } from '../../../app/api';
import { TicketTagInput } from '../../../app/TicketTagInput';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { priorityOptions, statusOptions } from '../../../lib/ticket-badges';
import { Avatar } from '../../../ui/Avatar';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Select } from '../../../ui/Select';
import { BulkMerge } from './BulkMerge';
import { maxSelected, useBulkChange, type Changes } from './use-bulk-change';
import type { Selection } from './use-selection';

/** Adds and removes tags in one change. */
function TagsPopover({ onApply }: { onApply: (changes: Changes) => void }) {
  const [open, setOpen] = useState(false);
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const apply = () => {
    setOpen(false);
    onApply({ ...(add.length > 0 ? { add_tags: add } : {}), ...(remove.length > 0 ? { remove_tags: remove } : {}) });
    setAdd([]);
    setRemove([]);
  };
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>
        <Button size="sm">
          <Tags aria-hidden />
          {t('tickets.list.tags')}
        </Button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={t('tickets.list.tags_of_selected_tickets')}
          side="top"
          sideOffset={8}
          collisionPadding={8}
          className="z-50 flex w-72 animate-pop flex-col gap-3 rounded-lg border border-line-strong bg-raised p-4 shadow-overlay"
        >
          <Field label={t('tickets.list.add_tags')}>
            {(control) => <TicketTagInput control={control} value={add} onChange={setAdd} />}
          </Field>
          <Field label={t('tickets.list.remove_tags')}>
            {(control) => <TicketTagInput control={control} value={remove} onChange={setRemove} />}
          </Field>
          <Button variant="primary" disabled={add.length + remove.length === 0} onClick={apply}>
            {t('tickets.list.apply')}
          </Button>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function StatusAndPriority({ onApply }: { onApply: (changes: Changes) => void }) {
  return (
    <>
      <Select
        look="filter"
        label={t('tickets.list.set_status')}
        placeholder={t('tickets.list.status')}
        value=""
        options={statusOptions}
        onChange={(status) => onApply({ status: status as TicketStatus })}
      />
      <Select
        look="filter"
        label={t('tickets.list.set_priority')}
        placeholder={t('tickets.list.priority')}
        value=""
        options={priorityOptions}
        onChange={(priority) => onApply({ priority: priority as TicketPriority })}
      />
    </>
  );
}

/** Actions on all selected tickets. */
export function BulkBar({ tickets, selection }: { tickets: readonly TicketSummary[]; selection: Selection }) {
  const { data: members = [] } = useListMembersQuery();
  const { apply, isLoading } = useBulkChange();
  const active = members.filter(({ is_active }) => is_active);
  const change = (changes: Changes, userId?: string) =>
    void apply(selection.ids, changes, active.find(({ user_id }) => user_id === userId) ?? null);
  const assignees = [
    { value: 'none', label: t('tickets.list.unassigned'), mark: <UserRoundX className="size-3.5 text-muted" aria-hidden /> },
    ...active.map((member) => ({ value: member.user_id, label: nameOf(member), mark: <Avatar name={nameOf(member)} size="xs" /> })),
  ];
  const count = selection.ids.length;
  const selected = tickets.filter(({ id }) => selection.has(id));
  return (
    <div
      role="toolbar"
      aria-label={t('tickets.list.selected_tickets')}
      data-above-toasts
      aria-busy={isLoading}
      // In the flow below the rows, so that it covers none of them.
      className="flex min-h-11 shrink-0 flex-wrap items-center gap-1.5 border-t bg-raised px-4 py-1.5"
    >
      <p aria-live="polite" className="tabular mr-1 text-xs font-medium whitespace-nowrap">
        {t('tickets.list.count_selected', { count: count.toLocaleString('en-US') })}
      </p>
      {count < tickets.length && tickets.length <= maxSelected && (
        <Button variant="ghost" size="sm" onClick={selection.all}>
          {t('tickets.list.select_all_count_loaded', { count: tickets.length.toLocaleString('en-US') })}
        </Button>
      )}
      <Button size="sm" onClick={() => change({ status: 'resolved' })}>
        <CircleCheck aria-hidden />
        {t('tickets.list.resolve')}
      </Button>
      <Select
        look="filter"
        label={t('tickets.list.assign_to')}
        placeholder={t('tickets.list.assign')}
        value=""
        options={assignees}
        onChange={(value) => change({ assigned_to: value === 'none' ? null : value }, value)}
      />
      <BulkMerge tickets={selected} onDone={selection.clear} />
      <TagsPopover onApply={change} />
      <StatusAndPriority onApply={change} />
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t('tickets.list.clear_selection')}
        title={t('tickets.list.clear_selection_esc')}
        onClick={selection.clear}
        className="ml-auto"
      >
        <X aria-hidden />
      </Button>
    </div>
  );
}
