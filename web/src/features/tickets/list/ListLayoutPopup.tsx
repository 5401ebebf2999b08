import type { ListPreferences } from '@tandem/contracts';
import { listColumns, listGroups, type ListColumn, type ListGroup } from '@tandem/contracts/values';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { useId, useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import { announce } from '../../../lib/announce';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Select } from '../../../ui/Select';
import { defaultColumns, type ChoosePreferences } from './list-preferences';

const groupLabels: Record<ListGroup, string> = { status: 'Status', priority: 'Priority', assignee: 'Assignee', due: 'Due day' };
const groupOptions = [{ value: 'none', label: 'No groups' }, ...listGroups.map((value) => ({ value, label: groupLabels[value] }))];
const columnLabels: Record<ListColumn, string> = {
  status: 'Status',
  priority: 'Priority',
  customer: 'Customer',
  due: 'Due',
  assignee: 'Assignee',
  flags: 'Task, snooze and escalation',
  created: 'Created',
  comments: 'Comments',
  category: 'Category',
  tags: 'Tags',
  updated: 'Updated',
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
      announce(`${columnLabels[name]} moved to position ${to + 1}`);
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
    { key: 'up', icon: ArrowUp, to: index - 1 },
    { key: 'down', icon: ArrowDown, to: index + 1 },
  ];
  return (
    <li className="flex h-8 items-center gap-2 touch:h-10">
      <input type="checkbox" id={id} checked={isShown} onChange={onToggle} className="size-4 shrink-0 accent-accent touch:size-5" />
      <label htmlFor={id} className="min-w-0 flex-1 truncate">
        {label}
      </label>
      {moves.map(({ key, icon: Icon, to }) => {
        const isAtEnd = to < 0 || to > last;
        return (
          <Button
            key={key}
            data-move={`${key} ${name}`}
            variant="ghost"
            size="icon-sm"
            aria-label={`Move ${label} ${key}`}
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
          Columns
        </span>
        {props.preferences.columns && (
          <Button variant="ghost" size="sm" onClick={reset}>
            Reset
          </Button>
        )}
      </div>
      <p className="mb-1 text-xs text-pretty text-muted">
        Number and subject are always shown. Compact rows show status and priority first, and icons after the subject.
      </p>
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
          aria-label={props.narrow ? 'Groups' : 'Groups and columns'}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 flex max-h-(--radix-popover-content-available-height) w-80 animate-pop flex-col gap-3 overflow-y-auto rounded-lg border border-line-strong bg-raised p-4 shadow-overlay"
        >
          <Field label="Group by">
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
