import type { ApiRequest } from './http';
import type { Challenge } from './proof-of-work';

/*
 * The only paths that are not in the contracts: streams, files and pages that the browser loads itself, and two operations that only the
 * gateway knows. All other requests are built with `call`.
 */

const withQuery = (path: string, query: Record<string, string>): string => {
  const text = new URLSearchParams(query).toString();
  return `/api/v1${path}${text ? `?${text}` : ''}`;
};

/** The event stream of the user's organization. */
export const eventsUrl = '/api/v1/events';
/** The event stream of one ticket, for its customer. */
export const publicEventsUrl = (ticketId: string, email: string): string =>
  withQuery(`/public/tickets/${encodeURIComponent(ticketId)}/events`, { email });
/** The audit log as a CSV file. */
export const auditCsvUrl = (query: Record<string, string>): string => withQuery('/audit-log.csv', query);
/** The page that shows a received mail, for an iframe. */
export const mailPageUrl = (ticketId: string, query: Record<string, string>): string =>
  withQuery(`/tickets/${encodeURIComponent(ticketId)}/original/page`, query);

/** A proof of work to solve. */
export const challengeRequest: ApiRequest<Challenge> = { path: '/public/challenge' };

export type PresenceState = 'viewing' | 'writing' | 'writing_note';
export interface PersonPresent {
  user_id: string;
  state: PresenceState;
}
/** Reports this user as present at a ticket; returns the others. A `visit` identifies one open page. */
export const presenceRequest = (ticketId: string, body: { state: PresenceState | 'left'; visit: string }): ApiRequest<PersonPresent[]> => ({
  path: `/tickets/${encodeURIComponent(ticketId)}/presence`,
  method: 'PUT',
  body,
  isOptional: true,
});
