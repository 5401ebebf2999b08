import { auditCategories, severities, type AuditCategory, type Severity } from '@tandem/contracts/values';

/** Filters of the audit log, stored in the address. Dates are in the reader's time zone. */
export interface AuditFilters {
  category?: AuditCategory;
  severity?: Severity;
  /** User id of the member who caused the entry. */
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

/** Reads the filters from the address. Invalid values are ignored, so that a mistyped link still shows the log. */
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

/** API parameters: from the start of the first day to the end of the last, in the reader's time zone. */
export const queryOf = ({ person, from, to, ...rest }: AuditFilters): Record<string, string> => ({
  ...rest,
  ...(person ? { actor_id: person } : {}),
  ...(from ? { from: midnight(from).toISOString() } : {}),
  ...(to ? { to: midnight(to, 1).toISOString() } : {}),
});

/** Sets a filter in the address and leaves the other parameters (the open tab). `all` and '' remove the filter. */
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
