import { createExternalStore } from './external-store';
import { storage } from './storage';

export const sampleTicketPath = '/sample-ticket';

const removed = createExternalStore(() => storage.get('sample-ticket') === 'removed');

/** Whether empty lists offer the sample ticket. */
export const useSampleTicket = (): boolean => !removed.use();

export function removeSampleTicket(): void {
  storage.set('sample-ticket', 'removed');
  removed.set(true);
}
