import {
  defaultDirections,
  defaultStatusNames,
  ticketStatuses,
  type ExternalField,
  type ExternalStatus,
  type FieldMappings,
  type FieldProblem,
  type StatusCategory,
  type StatusMappings,
  type TaskToolCapabilities,
  type TicketStatus,
} from '@tandem/contracts';

const folded = (name: string): string => name.trim().toLowerCase();
const named = (statuses: ExternalStatus[], name: string): ExternalStatus | undefined =>
  statuses.find((status) => folded(status.name) === folded(name));
const first = (statuses: ExternalStatus[], ...categories: StatusCategory[]): ExternalStatus | undefined =>
  categories.map((category) => statuses.find((status) => status.category === category)).find((found) => found !== undefined);

/** Names under which lists keep what waits for somebody else. */
const waitingNames = /\b(review|pending|waiting|on hold|feedback|blocked)\b/i;

/** What stands in for a status whose name the list does not have (`external-interfaces.md` 1.4: "fall back by type"). */
const fitting: Record<TicketStatus, (statuses: ExternalStatus[]) => ExternalStatus | undefined> = {
  open: (statuses) => first(statuses, 'open'),
  in_progress: (statuses) =>
    statuses.find(({ category, name }) => category === 'active' && !waitingNames.test(name)) ?? first(statuses, 'active'),
  waiting_for_customer: (statuses) => statuses.find(({ category, name }) => category !== 'closed' && waitingNames.test(name)),
  resolved: (statuses) => first(statuses, 'done', 'closed'),
  closed: (statuses) => first(statuses, 'closed', 'done'),
};

/**
 * For each of our statuses the name of the list's status that fits: by the default names without case, else by type. Null where none does, and
 * somebody has to choose. Where tasks are only open or closed, a ticket that is being worked on has an open one.
 */
export function proposeStatuses(statuses: ExternalStatus[], kind: TaskToolCapabilities['statuses']): StatusMappings {
  const proposals = ticketStatuses.map((status) => {
    const found = named(statuses, defaultStatusNames[status]) ?? fitting[status](statuses);
    const stillOpen = kind === 'open_closed' ? first(statuses, 'open') : undefined;
    return [status, (found ?? stillOpen)?.name ?? null];
  });
  return Object.fromEntries(proposals) as StatusMappings;
}

/** Those that take an e-mail address. */
export const emailFields = (fields: ExternalField[]): ExternalField[] => fields.filter(({ type }) => type === 'email');

/** The id of the field 'Customer Email', without case; else of the only one there is. */
export function proposeEmailField(fields: ExternalField[]): string | null {
  const fitting = emailFields(fields);
  const made = fitting.find(({ name }) => folded(name) === 'customer email');
  return (made ?? (fitting.length === 1 ? fitting[0] : undefined))?.id ?? null;
}

/** The mapping with each name as the list writes it, and a problem for each that the list does not have. */
export function checkStatuses(wanted: StatusMappings, statuses: ExternalStatus[]): { mappings: StatusMappings; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const checked = Object.entries(wanted).map(([status, name]) => {
    const found = name === null ? null : named(statuses, name);
    if (found === undefined)
      problems.push({ path: `status_mappings.${status}`, code: 'unknown', message: `The list has no status “${name ?? ''}”` });
    return [status, found?.name ?? null];
  });
  return { mappings: Object.fromEntries(checked) as StatusMappings, problems };
}

/** Our statuses that have nowhere to go: nothing was chosen for them, or the list no longer has what was. None where statuses are not sent. */
export function unmappedStatuses(mappings: StatusMappings, fields: FieldMappings, statuses: ExternalStatus[]): TicketStatus[] {
  const direction = fields.status?.direction ?? defaultDirections.status;
  if (direction !== 'both' && direction !== 'to_task') return [];
  return ticketStatuses.filter((status) => !named(statuses, mappings[status] ?? ''));
}

/** Nobody has said where the customer's address goes: into the field that looks made for it. */
export function withEmailField(mappings: FieldMappings, proposed: string | null): FieldMappings {
  if (mappings.customer_email || proposed === null) return mappings;
  return { ...mappings, customer_email: { direction: defaultDirections.customer_email as 'to_task', field_id: proposed } };
}
