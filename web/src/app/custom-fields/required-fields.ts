import type { CustomField, CustomFieldChanges } from '@tandem/contracts';
import type { TicketStatus } from '@tandem/contracts/values';
import { createExternalStore } from '../../lib/external-store';

interface Request {
  /** The status that the ticket gets with the values. */
  status: TicketStatus;
  fields: readonly CustomField[];
  /** The values that the server refused, and why, by the keys of the fields. */
  values?: CustomFieldChanges;
  problems?: Partial<Record<string, string>>;
}
export interface FieldsRequest extends Request {
  answer: (values?: CustomFieldChanges) => void;
}

const current = createExternalStore<FieldsRequest | undefined>(() => undefined);
export const useFieldsRequest = (): FieldsRequest | undefined => current.use();

/** Asks for the values in a dialog of the shell. Undefined if the user cancels it. */
export const requestFields = (request: Request): Promise<CustomFieldChanges | undefined> =>
  new Promise((resolve) => {
    current.get()?.answer();
    current.set({
      ...request,
      answer: (values) => {
        current.set(undefined);
        resolve(values);
      },
    });
  });
