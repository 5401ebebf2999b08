import { t } from '../../../lib/staff-texts';

/** Colors by status category, for tools whose statuses have no colors. */
export const categoryDots = { open: 'bg-gray-solid', active: 'bg-blue-solid', done: 'bg-green-solid', closed: 'bg-gray-solid' };

/** Empty for a task without tickets. */
export const ticketCount = (tickets: number): string => (tickets === 0 ? '' : t('tickets.panel.count_tickets', { tickets }));
