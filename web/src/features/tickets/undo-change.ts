import type { CustomField, Ticket, TicketSummary, UpdateTicket } from '@tandem/contracts';
import {
  customFieldName,
  isCustomFieldName,
  keyOfName,
  priorityLabels,
  statusLabels,
  type CustomFieldName,
  type Language,
  type TicketStatus,
} from '@tandem/contracts/values';
import { fieldValueText } from '../../app/custom-fields/field-text';
import { valuesOf } from '../../app/custom-fields/ticket-values';
import { nameOf } from '../../lib/names';
import { notify } from '../../lib/notify';
import { isProblem } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { offerUndo } from '../../lib/undo';
import type { NewTicket } from './form/create-ticket.api';

export type TicketChanges = Partial<NewTicket> & {
  status?: TicketStatus;
  assigned_to?: string | null;
  language?: Language | null;
  cc?: string[];
};

type Known = Ticket | TicketSummary;
/** A field that `tickets.update` may change. */
type Field = (keyof UpdateTicket & keyof TicketSummary) | CustomFieldName;
type Fields = readonly CustomField[];

const ccOf = (known: Known): string[] => ('cc' in known ? known.cc : []);

const valueOf = (known: Known, field: Field): unknown =>
  isCustomFieldName(field) ? (valuesIn(known)[keyOfName(field)] ?? null) : known[field];
const valuesIn = (known: Known) => ('custom_fields' in known ? valuesOf(known) : {});
/** A list row has no description and no custom fields. */
const isKnown = (known: Known, field: Field) => (isCustomFieldName(field) ? 'custom_fields' : field) in known;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function addedAndRemoved(before: string[], after: string[]): string {
  const added = after.filter((tag) => !before.includes(tag)).map((tag) => t('tickets.added_tag', { tag }));
  const removed = before.filter((tag) => !after.includes(tag)).map((tag) => t('tickets.removed_tag', { tag }));
  return [...added, ...removed].join(', ');
}

const texts: Record<string, (before: Known, after: Known) => string> = {
  cc: (before, after) => t('tickets.cc_changed', { changes: addedAndRemoved(ccOf(before), ccOf(after)) }),
  status: (before, after) => `${statusLabels[before.status]} → ${statusLabels[after.status]}`,
  priority: (before, after) =>
    t('tickets.priority_changed', { before: priorityLabels[before.priority], after: priorityLabels[after.priority] }),
  assigned_to: (_before, after) =>
    after.assigned_to === null
      ? t('tickets.unassigned')
      : t('tickets.assigned_to', { name: nameOf(after.assignee, t('tickets.teammate')) }),
  subject: () => t('tickets.subject'),
  description: () => t('tickets.description'),
  category: () => t('tickets.category'),
  customer_name: () => t('tickets.customer_name'),
  customer_email: () => t('tickets.customer_email'),
  external_id: () => t('tickets.external_id'),
  language: () => t('tickets.language'),
  tags: (before, after) => t('tickets.tags_changed', { changes: addedAndRemoved(before.tags, after.tags) }),
};

function customFieldText(before: Known, after: Known, key: string, fields: Fields): string {
  const field = fields.find((each) => each.key === key);
  const label = field?.label ?? key;
  const [from, to] = [before, after].map((known) => valuesIn(known)[key]);
  if (to === undefined) return t('tickets.field_cleared', { label });
  if (!field || field.type === 'long_text') return label;
  const values = [from, to].filter((value) => value !== undefined).map((value) => fieldValueText(field, value));
  return t('tickets.field_changed', { label, values: values.join(' → ') });
}

/** 'NOR-1: Open → Resolved'. */
export function changeText(before: Known, after: Known, names: readonly Field[], fields: Fields): string {
  const parts = names.map((name) =>
    isCustomFieldName(name) ? customFieldText(before, after, keyOfName(name), fields) : (texts[name]?.(before, after) ?? name),
  );
  return `${after.ticket_number}: ${parts.join(', ')}`;
}

/** The values that the fields had. */
function previousValues(before: Known, names: readonly Field[]): TicketChanges {
  const own = names.filter((name) => !isCustomFieldName(name)).map((name) => [name, valueOf(before, name)]);
  const custom = names.filter(isCustomFieldName).map((name) => [keyOfName(name), valuesIn(before)[keyOfName(name)] ?? null] as const);
  return { ...(Object.fromEntries(own) as TicketChanges), ...(custom.length > 0 ? { custom_fields: Object.fromEntries(custom) } : {}) };
}

interface Answer {
  data?: Ticket;
  error?: unknown;
}
/** The requests to the ticket, which tickets.api.ts passes. */
interface TicketCalls {
  read: () => Promise<Answer>;
  /** Refused with 412 if the ticket no longer has this version. */
  restore: (changes: TicketChanges, shown: Pick<Known, 'assignee'>, version: number) => Promise<Answer>;
}

/** What was changed. */
interface Changed {
  changes: TicketChanges;
  /** The organization's custom fields. */
  fields: Fields;
}

/** Restores the fields, unless one of them has changed since. */
async function revert(before: Known, after: Known, names: readonly Field[], fields: Fields, calls: TicketCalls): Promise<void> {
  const changedSince = () =>
    notify.error(t('tickets.ticket_number_has_changed_since', { ticket_number: after.ticket_number }), t('tickets.not_undone'));
  const { data: now, error: unread } = await calls.read();
  if (!now) return notify.problem(unread, t('tickets.couldnt_undo_change'));
  if (names.some((name) => !isSame(valueOf(now, name), valueOf(after, name)))) return changedSince();
  const { error } = await calls.restore(previousValues(before, names), { assignee: before.assignee }, now.version);
  if (!error) notify.success(t('tickets.change_undone'), changeText(after, before, names, fields));
  else if (isProblem(error) && error.status === 412) changedSince();
  else notify.problem(error, t('tickets.couldnt_undo_change'));
}

/** The changed fields, named as in the timeline: `status`, `custom_fields.product`. */
const namesOf = ({ custom_fields = {}, ...others }: TicketChanges): string[] => [
  ...Object.keys(others),
  ...Object.keys(custom_fields).map(customFieldName),
];

/** Reports a saved change to a ticket, and offers to undo it if the previous values are known. */
export function reportChange(before: Known | undefined, after: Ticket, { changes, fields }: Changed, calls: TicketCalls): void {
  const names = namesOf(changes);
  const title = names.includes('status') ? t('tickets.ticket_status_updated') : t('tickets.ticket_updated');
  const changed = (names as Field[]).filter((name) => !before || !isSame(valueOf(before, name), valueOf(after, name)));
  if (!before || changed.length === 0 || changed.some((name) => !isKnown(before, name))) return notify.success(title);
  offerUndo(title, changeText(before, after, changed, fields), () => void revert(before, after, changed, fields, calls));
}
