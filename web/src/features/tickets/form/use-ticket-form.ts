import { useEffect, useRef, useState } from 'react';
import { notify } from '../../../lib/notify';
import { fieldProblems } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import type { NewTicket } from './create-ticket.api';

export const requiredMessage = t('tickets.form.subject_and_email_are_required');

export type TicketValues = Omit<NewTicket, 'attachment_ids' | 'custom_fields'>;
export type TicketField = keyof TicketValues;
export type TicketErrors = Partial<Record<TicketField, string>>;

/** Without the priority, which starts as the organization's default. */
export const emptyTicket: Omit<TicketValues, 'priority'> = {
  subject: '',
  description: '',
  customer_email: '',
  customer_name: '',
  category: '',
  tags: [],
};

/** Trims all values. The server stores empty ones as null. */
export const trimValues = (values: TicketValues): TicketValues => ({
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
    ...(address !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)
      ? { customer_email: t('tickets.form.enter_valid_email_address') }
      : {}),
  };
}

export type TicketFormState = ReturnType<typeof useTicketForm>;

/** The form's values and errors. Custom, because a form library would be larger than the two pages that use it. */
export function useTicketForm(initial: TicketValues) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<TicketErrors>({});
  const frame = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState(0);
  const show = (found: TicketErrors) => {
    setErrors(found);
    setShown((count) => count + 1);
  };
  // Focuses the first invalid field after a check, but not while the user is fixing another one.
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
    /** The values to send; undefined if some are invalid, whose errors are then shown. */
    checked: (): TicketValues | undefined => {
      const found = errorsOf(values);
      show(found);
      if (Object.values(found).includes(requiredMessage)) notify.error(requiredMessage);
      return Object.keys(found).length === 0 ? trimValues(values) : undefined;
    },
    /** Shows the server's field errors next to the fields. */
    refuse: (error: unknown) =>
      show(Object.fromEntries(fieldProblems(error).flatMap(({ path, message }) => (path in initial ? [[path, message]] : [])))),
  };
}
