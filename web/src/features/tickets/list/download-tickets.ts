import { exportTicketsAsCsv, readSession } from '@tandem/contracts/endpoints';
import { urlOf } from '../../../lib/api-url';
import { call } from '../../../lib/call';
import { read } from '../../../lib/http';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { queryOf, type TicketFilters } from './ticket-query';

/** Lets the browser stream the file. Reads the session first, because a download cannot refresh an expired access token. */
export async function downloadTickets(filters: TicketFilters): Promise<void> {
  const { problem } = await read(call(readSession));
  if (problem) return notify.problem(problem, t('tickets.list.failed_to_download'));
  const href = urlOf(call(exportTicketsAsCsv, { query: queryOf(filters) }));
  Object.assign(document.createElement('a'), { href, download: '' }).click();
}
