import { ticketPriorities, ticketStatuses, type CustomFieldValue, type TicketPriority, type TicketStatus } from '@tandem/contracts';
import type { ImportInput, SourceItem, SourcePlace } from '../import-reader';

/** Conversions that the readers of APIs share. */

/** A value of ours, and the item with which an admin can map the value of the source. */
interface Mapped<T> {
  to: T;
  items: SourceItem[];
}

export function mapStatus(value: string, suggestion: TicketStatus, { statuses }: ImportInput): Mapped<TicketStatus> {
  const same = ticketStatuses.find((each) => each === value);
  if (same) return { to: same, items: [] };
  return { to: statuses.get(value) ?? suggestion, items: [{ type: 'value', field: 'status', value, suggestion }] };
}

export function mapPriority(value: string, suggestion: TicketPriority, { priorities }: ImportInput): Mapped<TicketPriority> {
  const same = ticketPriorities.find((each) => each === value);
  if (same) return { to: same, items: [] };
  return { to: priorities.get(value) ?? suggestion, items: [{ type: 'value', field: 'priority', value, suggestion }] };
}

/**
 * The values of custom fields that the organization has. A field that it does not have is a problem once per import, with the first ticket:
 * a problem per ticket would hide all others. `reported`: the fields of which there is a problem.
 */
export function mapCustomFields(
  values: Readonly<Record<string, unknown>>,
  { custom_fields }: ImportInput,
  { ticket, at, reported }: { ticket: string; at: SourcePlace; reported: Set<string> },
): { fields: Record<string, CustomFieldValue>; items: SourceItem[] } {
  const fields: Record<string, CustomFieldValue> = {};
  const items: SourceItem[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (isEmpty(value)) continue;
    const type = custom_fields.get(key);
    const converted = type === undefined ? undefined : convert(type, value);
    if (converted !== undefined) fields[key] = converted;
    else if (type !== undefined || (!reported.has(key) && reported.size < maxReported)) {
      reported.add(key);
      items.push(problem('value.left_out', { kind: 'ticket', key: ticket, field: key, value: asText(value) }, at));
    }
  }
  return { fields, items };
}

/** More fields than any source has. */
const maxReported = 1_000;

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function convert(type: string, value: unknown): CustomFieldValue | undefined {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const texts = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
  switch (type) {
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
    }
    case 'date':
      // Both products store some dates with a time.
      return typeof value === 'string' ? /^\d{4}-\d\d-\d\d(?=$|T| )/.exec(value)?.[0] : undefined;
    case 'yes_no':
      return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined;
    case 'choices':
      return texts.length > 0 ? texts : undefined;
    default:
      return isScalar ? String(value) : texts.length > 0 ? texts.join(', ') : undefined;
  }
}

type Problem = Extract<SourceItem, { type: 'problem' }>['problem'];

export const problem = (
  code: Problem['code'],
  { kind, key, field = null, value = null }: Pick<Problem, 'kind' | 'key'> & Partial<Pick<Problem, 'field' | 'value'>>,
  at: SourcePlace,
): SourceItem => ({ type: 'problem', problem: { code, kind, key, field, value: value?.slice(0, 200) ?? null }, at });

/** The start of a message, for a source in which tickets have no subject. Empty if it has no text. */
export function subjectOf(message: string): string {
  const line =
    message
      .split('\n')
      .map((each) => each.trim())
      .find((each) => each !== '') ?? '';
  if (line.length <= 100) return line;
  return `${line.slice(0, 99).replace(/\s\S*$/, '')}…`;
}

/** The addresses of a mail header: `Ann Lee <ann@example.com>, bob@example.com`. */
export const addressesOf = (header: string): string[] =>
  [...header.matchAll(/[^\s<>,;"']+@[^\s<>,;"']+/g)].map(([address]) => address.toLowerCase());

/** First and last name: the last word is the last name. */
export function splitName(name: string): { first_name: string | null; last_name: string | null } {
  const words = name.trim().split(/\s+/).filter(Boolean);
  if (words.length < 2) return { first_name: words[0] ?? null, last_name: null };
  return { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1)! };
}
