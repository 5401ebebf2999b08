import { ticketLimits } from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { Controller, type FieldPath, type UseFormReturn } from 'react-hook-form';
import { priorityOptions } from '../../lib/ticket-badges';
import { Field } from '../../ui/Field';
import { Input, Textarea } from '../../ui/Input';
import { Select } from '../../ui/Select';
import { TagInput } from '../../ui/TagInput';
import type { NewTicket } from './tickets.api';

/** Spec part 2, section 5. */
export const requiredMessage = 'Subject and customer email are required';
export const emptyTicket: NewTicket = {
  subject: '',
  description: '',
  customer_email: '',
  customer_name: '',
  category: '',
  priority: 'medium',
  tags: [],
};

const present = (value: string) => value.trim() !== '' || requiredMessage;
const address = (value: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim()) || 'Enter a valid email address';

/** Values are trimmed; what is empty is stored as null by the server. */
export const trimmed = (values: NewTicket): NewTicket => ({
  ...values,
  subject: values.subject.trim(),
  description: values.description.trim(),
  customer_email: values.customer_email.trim().toLowerCase(),
  customer_name: values.customer_name.trim(),
  category: values.category.trim(),
});

interface TicketFormProps {
  form: UseFormReturn<NewTicket>;
  onSubmit: () => void;
  footer: ReactNode;
}

/** The fields that a new ticket and the edit page share. */
export function TicketForm({ form, onSubmit, footer }: TicketFormProps) {
  const { register, control, formState } = form;
  const error = (name: FieldPath<NewTicket>) => (formState.errors as Partial<Record<string, { message?: string }>>)[name]?.message;
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Field label="Subject" required error={error('subject')}>
        {(field) => (
          <Input
            {...field}
            maxLength={ticketLimits.subject}
            placeholder="What is it about?"
            {...register('subject', { validate: present })}
          />
        )}
      </Field>
      <Field label="Description" optional error={error('description')}>
        {(field) => <Textarea {...field} maxLength={ticketLimits.description} rows={6} className="min-h-36" {...register('description')} />}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Customer email" required error={error('customer_email')}>
          {(field) => (
            <Input
              {...field}
              type="email"
              maxLength={ticketLimits.email}
              placeholder="customer@example.com"
              autoComplete="off"
              {...register('customer_email', { validate: { present, address } })}
            />
          )}
        </Field>
        <Field label="Customer name" optional error={error('customer_name')}>
          {(field) => <Input {...field} maxLength={ticketLimits.name} autoComplete="off" {...register('customer_name')} />}
        </Field>
        <Field label="Priority" error={error('priority')}>
          {(field) => (
            <Controller
              control={control}
              name="priority"
              render={({ field: { value, onChange } }) => <Select {...field} value={value} onChange={onChange} options={priorityOptions} />}
            />
          )}
        </Field>
        <Field label="Category" optional error={error('category')}>
          {(field) => <Input {...field} maxLength={ticketLimits.category} placeholder="Billing, shipping, …" {...register('category')} />}
        </Field>
      </div>
      <Field label="Tags" optional hint="Enter or a comma adds a tag" error={error('tags')}>
        {(field) => (
          <Controller
            control={control}
            name="tags"
            render={({ field: { value, onChange } }) => <TagInput value={value} onChange={onChange} control={field} />}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2 border-t pt-4">{footer}</div>
    </form>
  );
}
