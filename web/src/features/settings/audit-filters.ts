import { auditCategories, severities, type AuditCategory, type Severity } from '@tandem/contracts/values';

/** What the log is narrowed to. The address says the same; days are the reader's own. */
export interface AuditFilters {
  category?: AuditCategory;
  severity?: Severity;
  /** The id of the member who did it. */
  person?: string;
  /** `2026-11-20`; both days are included. */
  from?: string;
  to?: string;
}
export const auditFilterNames = ['category', 'severity', 'person', 'from', 'to'] as const;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const oneOf = <T extends string>(values: readonly T[], value: string | null): T | undefined => values.find((each) => each === value);
const midnight = (day: string, later = 0): Date => {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later);
};
const dayOf = (value: string | null): string | undefined =>
  value !== null && /^[12]\d{3}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** From the address; what is not a filter's value counts as all, so that a mistyped link still shows the log. */
export function auditFiltersOf(params: URLSearchParams): AuditFilters {
  const category = oneOf(auditCategories, params.get('category'));
  const severity = oneOf(severities, params.get('severity'));
  const person = params.get('person');
  const from = dayOf(params.get('from'));
  const to = dayOf(params.get('to'));
  return {
    ...(category ? { category } : {}),
    ...(severity ? { severity } : {}),
    ...(person && uuid.test(person) ? { person } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  };
}

/** For the API: from the first moment of the one day to the last of the other, where the reader is. */
export const queryOf = ({ person, from, to, ...rest }: AuditFilters): Record<string, string> => ({
  ...rest,
  ...(person ? { actor_id: person } : {}),
  ...(from ? { from: midnight(from).toISOString() } : {}),
  ...(to ? { to: midnight(to, 1).toISOString() } : {}),
});

/** Into the address, without touching what else is there (the open tab). `all` and nothing take the parameter away. */
export function withAuditFilter(params: URLSearchParams, name: keyof AuditFilters, value: string): URLSearchParams {
  const next = new URLSearchParams(params);
  if (value === '' || value === 'all') next.delete(name);
  else next.set(name, value);
  return next;
}

export function withoutAuditFilters(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of auditFilterNames) next.delete(name);
  return next;
}

export const isFiltered = (filters: AuditFilters): boolean => Object.keys(filters).length > 0;
