import type { ListPreferences } from '@tandem/contracts';
import { listColumns, listGroups, type ListColumn, type ListGroup } from '@tandem/contracts/values';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { useId, useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import { announce } from '../../../lib/announce';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Select } from '../../../ui/Select';
import { defaultColumns, type ChoosePreferences } from './list-preferences';

const groupLabels: Record<ListGroup, string> = {
  status: t('tickets.list.status'),
  priority: t('tickets.list.priority'),
  assignee: t('tickets.list.assignee'),
  due: t('tickets.list.due_day'),
};
const groupOptions = [
  { value: 'none', label: t('tickets.list.no_groups') },
  ...listGroups.map((value) => ({ value, label: groupLabels[value] })),
];
const columnLabels: Record<ListColumn, string> = {
  status: t('tickets.list.status'),
  priority: t('tickets.list.priority'),
  customer: t('tickets.list.customer'),
  due: t('tickets.list.due'),
  assignee: t('tickets.list.assignee'),
  flags: t('tickets.list.task_snooze_and_escalation'),
  created: t('tickets.list.created'),
  comments: t('tickets.list.comments'),
  category: t('tickets.list.category'),
  tags: t('tickets.list.tags'),
  updated: t('tickets.list.updated'),
};

interface ListLayoutProps {
  preferences: ListPreferences;
  onChoose: ChoosePreferences;
  /** Narrow rows have no columns. */
  narrow?: boolean;
}

/** The chosen columns in their order, then the others. */
const inOrder = (chosen: readonly ListColumn[]): readonly ListColumn[] => [
  ...chosen,
  ...listColumns.filter((name) => !chosen.includes(name)),
];

function useColumnChoice({ preferences, onChoose }: ListLayoutProps) {
  const chosen = preferences.columns ?? defaultColumns;
  // Hidden columns keep their place while the popup is open, so that showing one again does not move it.
  const [order, setOrder] = useState(() => inOrder(chosen));
  const save = (names: readonly ListColumn[]) => onChoose({ columns: [...names] });
  return {
    order,
    isShown: (name: ListColumn) => chosen.includes(name),
    toggle: (name: ListColumn) => save(order.filter((each) => (each === name ? !chosen.includes(each) : chosen.includes(each)))),
    move: (name: ListColumn, to: number) => {
      const next = order.filter((each) => each !== name);
      next.splice(to, 0, name);
      setOrder(next);
      save(next.filter((each) => chosen.includes(each)));
      announce(t('tickets.list.column_moved', { nameName: columnLabels[name], to: to + 1 }));
    },
    reset: () => {
      setOrder(inOrder(defaultColumns));
      onChoose({ columns: null });
    },
  };
}

interface ColumnRowProps {
  name: ListColumn;
  index: number;
  last: number;
  isShown: boolean;
  onToggle: () => void;
  onMove: (to: number) => void;
}
function ColumnRow({ name, index, last, isShown, onToggle, onMove }: ColumnRowProps) {
  const id = useId();
  const label = columnLabels[name];
  const moves = [
    { key: 'up', text: t('tickets.list.move_up', { label }), icon: ArrowUp, to: index - 1 },
    { key: 'down', text: t('tickets.list.move_down', { label }), icon: ArrowDown, to: index + 1 },
  ];
  return (
    <li className="flex h-8 items-center gap-2 touch:h-10">
      <input type="checkbox" id={id} checked={isShown} onChange={onToggle} className="size-4 shrink-0 accent-accent touch:size-5" />
      <label htmlFor={id} className="min-w-0 flex-1 truncate">
        {label}
      </label>
      {moves.map(({ key, text, icon: Icon, to }) => {
        const isAtEnd = to < 0 || to > last;
        return (
          <Button
            key={key}
            data-move={`${key} ${name}`}
            variant="ghost"
            size="icon-sm"
            aria-label={text}
            // `aria-disabled` keeps the focus on the button of a column that has reached the end.
            aria-disabled={isAtEnd || undefined}
            className="-mx-1 text-muted aria-disabled:opacity-40"
            onClick={() => !isAtEnd && onMove(to)}
          >
            <Icon aria-hidden />
          </Button>
        );
      })}
    </li>
  );
}

function Columns(props: ListLayoutProps) {
  const { order, isShown, toggle, move, reset } = useColumnChoice(props);
  const titleId = useId();
  const list = useRef<HTMLUListElement>(null);
  // React moves the row of a column in the document, which takes the focus from its button.
  const focused = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (focused.current) list.current?.querySelector<HTMLElement>(`[data-move="${focused.current}"]`)?.focus();
    focused.current = undefined;
  }, [order]);
  return (
    <fieldset aria-labelledby={titleId}>
      <div className="mb-1 flex min-h-8 items-center justify-between">
        <span id={titleId} className="font-medium">
          {t('tickets.list.columns')}
        </span>
        {props.preferences.columns && (
          <Button variant="ghost" size="sm" onClick={reset}>
            {t('tickets.list.reset')}
          </Button>
        )}
      </div>
      <p className="mb-1 text-xs text-pretty text-muted">{t('tickets.list.which_columns_are_shown')}</p>
      <ul ref={list}>
        {order.map((name, index) => (
          <ColumnRow
            key={name}
            name={name}
            index={index}
            last={order.length - 1}
            isShown={isShown(name)}
            onToggle={() => toggle(name)}
            onMove={(to) => {
              focused.current = `${to < index ? 'up' : 'down'} ${name}`;
              move(name, to);
            }}
          />
        ))}
      </ul>
    </fieldset>
  );
}

/** Groups and columns of the list, initially open (ListLayout.tsx). Each change applies immediately. */
export function ListLayoutPopup({ trigger, ...props }: ListLayoutProps & { trigger: ReactElement }) {
  const [open, setOpen] = useState(true);
  const { preferences, onChoose } = props;
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={props.narrow ? t('tickets.list.groups') : t('tickets.list.groups_and_columns')}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 flex max-h-(--radix-popover-content-available-height) w-80 animate-pop flex-col gap-3 overflow-y-auto rounded-lg border border-line-strong bg-raised p-4 shadow-overlay"
        >
          <Field label={t('tickets.list.group_by')}>
            {(control) => (
              <Select
                {...control}
                options={groupOptions}
                value={preferences.group_by ?? 'none'}
                onChange={(value) => onChoose({ group_by: listGroups.find((each) => each === value) ?? null })}
              />
            )}
          </Field>
          {!props.narrow && <Columns {...props} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
