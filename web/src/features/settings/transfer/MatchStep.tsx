import type { Import } from '@tandem/contracts';
import { ticketPriorities, ticketStatuses } from '@tandem/contracts/values';
import { useId, useState, type ReactNode } from 'react';
import { useListMembersQuery } from '../../../app/api';
import { memberOptions } from '../../../lib/member-options';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { priorityOptions, statusOptions } from '../../../lib/ticket-badges';
import { Button } from '../../../ui/Button';
import { Select, type SelectOption } from '../../../ui/Select';
import { CheckButton } from './CheckStep';
import { useUpdateImportMutation, type ImportChanges } from './imports.api';

const shownAtFirst = 20;
const keepName = 'keep';

interface MatchRow {
  key: string;
  /** Of the source. */
  name: string;
  detail: ReactNode;
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
}

/** Values of the source, and what each becomes. */
function Matches({ title, hint, rows }: { title: string; hint: string; rows: MatchRow[] }) {
  const id = useId();
  const [showsAll, setShowsAll] = useState(false);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-1">
      <h3 id={id} className="font-semibold">
        {title}
      </h3>
      <p className="text-xs text-pretty text-muted">{hint}</p>
      <ul className="divide-y">
        {rows.slice(0, showsAll ? rows.length : shownAtFirst).map(({ key, name, detail, value, options, onChange }) => (
          <li key={key} className="grid items-center gap-x-4 gap-y-1 py-2 md:grid-cols-[minmax(0,1fr)_minmax(0,16rem)]">
            <div className="min-w-0">
              <label htmlFor={`${id}-${key}`} className="block [overflow-wrap:anywhere]" dir="auto">
                {name}
              </label>
              <p className="text-xs [overflow-wrap:anywhere] text-muted">{detail}</p>
            </div>
            <Select id={`${id}-${key}`} value={value} options={options} onChange={onChange} />
          </li>
        ))}
      </ul>
      {!showsAll && rows.length > shownAtFirst && (
        <Button size="sm" className="self-start" onClick={() => setShowsAll(true)}>
          {t('settings.transfer.show_all_count', { count: rows.length })}
        </Button>
      )}
    </section>
  );
}

export const hasMatches = ({ teammates, statuses, priorities }: Import): boolean =>
  teammates.length + statuses.length + priorities.length > 0;

/** The result in one line. */
export function matchSummary({ teammates, statuses, priorities }: Import): string {
  const matched = teammates.filter(({ user_id }) => user_id !== null).length;
  const people = teammates.length > 0 ? t('settings.transfer.people_matched', { matched, count: teammates.length }) : '';
  const values = statuses.length + priorities.length;
  const replaced = values > 0 ? t('settings.transfer.values_replaced', { count: values }) : '';
  return [people, replaced].filter(Boolean).join(' ') || t('settings.transfer.nothing_to_match');
}

function usePeople(current: Import, save: (changes: ImportChanges) => void): MatchRow[] {
  const { data: members = [] } = useListMembersQuery();
  const options = [{ value: keepName, label: t('settings.transfer.keep_name_only') }, ...memberOptions(members)];
  return current.teammates.map(({ key, name, email, user_id }) => ({
    key,
    name: name ?? email ?? t('settings.transfer.unknown_author'),
    detail: name === null ? null : email,
    value: user_id ?? keepName,
    options,
    onChange: (value) => save({ teammates: [{ key, user_id: value === keepName ? null : value }] }),
  }));
}

const ticketCount = (count: number) => t('settings.transfer.ticket_count', { count });

/** The people, statuses and priorities of the source that are not the same here. Each choice is saved. */
export function MatchStep({ current, needsCheck }: { current: Import; needsCheck: boolean }) {
  const [update] = useUpdateImportMutation();
  const save = async (changes: ImportChanges) => {
    const { error } = await update({ id: current.id, changes });
    if (error) notify.problem(error, t('settings.transfer.couldnt_save_choice'));
  };
  const people = usePeople(current, (changes) => void save(changes));
  return (
    <>
      <Matches title={t('settings.transfer.people')} hint={t('settings.transfer.people_hint')} rows={people} />
      <Matches
        title={t('settings.transfer.statuses')}
        hint={t('settings.transfer.values_hint')}
        rows={current.statuses.map(({ value, tickets, to }) => ({
          key: value,
          name: value,
          detail: ticketCount(tickets),
          value: to,
          options: statusOptions,
          onChange: (next) => void save({ statuses: [{ value, to: ticketStatuses.find((each) => each === next) ?? to }] }),
        }))}
      />
      <Matches
        title={t('settings.transfer.priorities')}
        hint={t('settings.transfer.values_hint')}
        rows={current.priorities.map(({ value, tickets, to }) => ({
          key: value,
          name: value,
          detail: ticketCount(tickets),
          value: to,
          options: priorityOptions,
          onChange: (next) => void save({ priorities: [{ value, to: ticketPriorities.find((each) => each === next) ?? to }] }),
        }))}
      />
      {needsCheck && (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-accent-line bg-accent-soft px-3 py-2">
          <p role="status" className="text-pretty text-accent-text">
            {t('settings.transfer.check_is_outdated')}
          </p>
          <CheckButton current={current} isFirst={false} isPrimary />
        </div>
      )}
    </>
  );
}
