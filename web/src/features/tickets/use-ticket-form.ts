import { useEffect, useRef, useState } from 'react';
import { notify } from '../../lib/notify';
import { fieldProblems } from '../../lib/problem';
import type { NewTicket } from './tickets.api';

/** Spec part 2, section 5. */
export const requiredMessage = 'Subject and customer email are required';

export type TicketValues = Omit<NewTicket, 'attachment_ids'>;
export type TicketField = keyof TicketValues;
export type TicketErrors = Partial<Record<TicketField, string>>;

/** Its priority is the organization's default, which whoever opens the form knows. */
export const emptyTicket: Omit<TicketValues, 'priority'> = {
  subject: '',
  description: '',
  customer_email: '',
  customer_name: '',
  category: '',
  tags: [],
};

/** Values are trimmed; what is empty is stored as null by the server. */
export const trimmed = (values: TicketValues): TicketValues => ({
  ...values,
  subject: values.subject.trim(),
  description: values.description.trim(),
  customer_email: values.customer_email.trim().toLowerCase(),
  customer_name: values.customer_name.trim(),
  category: values.category.trim(),
});

function errorsOf({ subject, customer_email }: TicketValues): TicketErrors {
  const address = customer_email.trim();
  return {
    ...(subject.trim() === '' ? { subject: requiredMessage } : {}),
    ...(address === '' ? { customer_email: requiredMessage } : {}),
    ...(address !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address) ? { customer_email: 'Enter a valid email address' } : {}),
  };
}

export type TicketFormState = ReturnType<typeof useTicketForm>;

/** The values of the form and what is wrong with them. Of our own: a form library weighs more than the two pages that use this. */
export function useTicketForm(initial: TicketValues) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<TicketErrors>({});
  const frame = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState(0);
  const show = (found: TicketErrors) => {
    setErrors(found);
    setShown((count) => count + 1);
  };
  // The first field that needs attention gets it; not while the person is repairing another one.
  useEffect(() => {
    if (shown > 0) frame.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [shown]);
  return {
    values,
    errors,
    frame,
    set: (news: Partial<TicketValues>) => {
      setValues((current) => ({ ...current, ...news }));
      setErrors((current) => Object.fromEntries(Object.entries(current).filter(([name]) => !(name in news))));
    },
    /** The values as they are sent; undefined when something is wrong with them, and that is shown. */
    checked: (): TicketValues | undefined => {
      const found = errorsOf(values);
      show(found);
      if (Object.values(found).includes(requiredMessage)) notify.error(requiredMessage);
      return Object.keys(found).length === 0 ? trimmed(values) : undefined;
    },
    /** Shows beside the fields what the server said of them. */
    refuse: (error: unknown) =>
      show(Object.fromEntries(fieldProblems(error).flatMap(({ path, message }) => (path in initial ? [[path, message]] : [])))),
  };
}
