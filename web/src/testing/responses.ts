import type { CustomFieldChanges, Ticket } from '@tandem/contracts';
import { appliesToCategory, customFieldName, problems, type ProblemCode } from '@tandem/contracts/values';
import { HttpResponse, type DefaultBodyType } from 'msw';
import { backend } from './backend';

export const api = (path: string) => `http://localhost/api/v1${path}`;

/** A response in the documented envelope. */
export const answer = (data: unknown, options: { status?: number; pagination?: object } = {}) =>
  HttpResponse.json(
    { success: true, data, meta: { request_id: 'r', ...(options.pagination ? { pagination: options.pagination } : {}) } },
    { status: options.status ?? 200 },
  );

/** A problem response as the gateway sends it. */
export const refuse = (code: ProblemCode, more: object = {}, headers: Record<string, string> = {}) =>
  HttpResponse.json(
    { success: false, type: 'about:blank', title: problems[code].title, status: problems[code].status, code, request_id: 'r', ...more },
    { status: problems[code].status, headers: { 'content-type': 'application/problem+json', ...headers } },
  );

export const signedIn = <T extends DefaultBodyType>(work: () => HttpResponse<T> | Promise<HttpResponse<T>>) =>
  backend.session ? work() : refuse('session.required');

interface TicketChanges {
  status?: string;
  custom_fields?: CustomFieldChanges;
}
/** The values after a change, without those that it removes. */
export function changedValues(ticket: Ticket, { custom_fields }: TicketChanges): Pick<Ticket, 'custom_fields'> {
  const values = Object.entries({ ...ticket.custom_fields, ...custom_fields }).filter(([, value]) => value !== null);
  return { custom_fields: Object.fromEntries(values) as Ticket['custom_fields'] };
}
/** The refusal to resolve or close a ticket without its required fields. */
export function refuseWithoutFields(ticket: Ticket, changes: TicketChanges) {
  if (changes.status !== 'resolved' && changes.status !== 'closed') return undefined;
  const { custom_fields } = changedValues(ticket, changes);
  const missing = backend.customFields.filter(
    (field) => field.required_to_resolve && appliesToCategory(field, ticket.category) && custom_fields[field.key] === undefined,
  );
  const errors = missing.map(({ key, label }) => ({ path: customFieldName(key), code: 'required', message: `${label} is required` }));
  return missing.length > 0 ? refuse('request.invalid', { errors }) : undefined;
}
