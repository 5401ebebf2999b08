/* URLs that the browser loads itself: streams, files and pages. All other requests are built with `call`. */

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
