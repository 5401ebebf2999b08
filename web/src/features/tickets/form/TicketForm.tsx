import { ticketLimits } from '@tandem/contracts/values';
import type { ClipboardEvent, ReactNode } from 'react';
import { TicketTagInput } from '../../../app/TicketTagInput';
import { t } from '../../../lib/staff-texts';
import { priorityOptions } from '../../../lib/ticket-badges';
import { Field } from '../../../ui/Field';
import { Input, Textarea } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import type { TicketFormState, TicketValues } from './use-ticket-form';

const limits = {
  subject: ticketLimits.subject,
  description: ticketLimits.description,
  customer_email: ticketLimits.email,
  customer_name: ticketLimits.name,
  category: ticketLimits.category,
};

interface TicketFormProps {
  form: TicketFormState;
  onSubmit: () => void;
  footer: ReactNode;
  /** The attached files, below the description. */
  files?: ReactNode;
  /** The custom fields, below the tags. */
  fields?: ReactNode;
  onPaste?: (event: ClipboardEvent) => void;
}

/** The fields shared by the pages for new and existing tickets. */
export function TicketForm({ form, onSubmit, footer, files, fields, onPaste }: TicketFormProps) {
  const { values, errors, set, frame } = form;
  const text = (name: keyof typeof limits) => ({
    name,
    dir: 'auto' as const,
    maxLength: limits[name],
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  });
  return (
    <form
      ref={frame}
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Field label={t('tickets.form.subject')} required error={errors.subject}>
        {(field) => <Input {...field} {...text('subject')} placeholder={t('tickets.form.what_is_it_about')} />}
      </Field>
      <div className="flex flex-col gap-2">
        <Field label={t('tickets.form.description')} optional error={errors.description}>
          {(field) => <Textarea {...field} {...text('description')} rows={6} className="max-h-[50vh] min-h-36" onPaste={onPaste} />}
        </Field>
        {files}
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={t('tickets.form.customer_email')} required error={errors.customer_email}>
          {(field) => (
            <Input {...field} {...text('customer_email')} type="email" dir="ltr" placeholder="customer@example.com" autoComplete="off" />
          )}
        </Field>
        <Field label={t('tickets.form.customer_name')} optional error={errors.customer_name}>
          {(field) => <Input {...field} {...text('customer_name')} autoComplete="off" />}
        </Field>
        <Field label={t('tickets.form.priority')} error={errors.priority}>
          {(field) => (
            <Select
              {...field}
              value={values.priority}
              onChange={(priority) => set({ priority: priority as TicketValues['priority'] })}
              options={priorityOptions}
            />
          )}
        </Field>
        <Field label={t('tickets.form.category')} optional error={errors.category}>
          {(field) => <Input {...field} {...text('category')} placeholder={t('tickets.form.billing_shipping')} />}
        </Field>
      </div>
      <Field label={t('tickets.form.tags')} optional hint={t('tickets.form.how_to_add_tags')} error={errors.tags}>
        {(field) => <TicketTagInput value={values.tags} onChange={(tags) => set({ tags })} control={field} />}
      </Field>
      {fields}
      <div className="flex justify-end gap-2 border-t pt-4">{footer}</div>
    </form>
  );
}
