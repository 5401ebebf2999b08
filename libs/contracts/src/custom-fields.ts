import * as z from 'zod';
import { event, job, operation } from './define';
import { blankToNull, Id, requiredText, text, Timestamp } from './scalars';
import { Changes, CustomerLanguage } from './tickets';
import { customFieldForms, customFieldKey, customFieldLimits, customFieldTypes } from './values/custom-fields';
import { ticketLimits } from './values/tickets';

const owner = 'tickets';

// ---- shapes ---------------------------------------------------------------------------------------------------

const key = z
  .string()
  .max(customFieldLimits.key, `At most ${customFieldLimits.key} characters`)
  .regex(customFieldKey, 'Use lower-case letters, digits and underscores, starting with a letter')
  .refine((value) => !(value in {}), 'This key is reserved');
const label = requiredText(customFieldLimits.label, 'Enter a label');

/** `value` is stored in tickets and never changes; `label` is what people see. */
export const CustomFieldOption = z.strictObject({ value: key, label });
export type CustomFieldOption = z.infer<typeof CustomFieldOption>;

/** The texts of a field in another language. An option without a text has its own label. */
const Translation = z.strictObject({ label, hint: blankToNull(customFieldLimits.hint), options: z.record(key, label).default({}) });

/** The settings of a field that admins write. */
const settings = {
  label,
  /** Explains the field below its input. */
  hint: blankToNull(customFieldLimits.hint),
  /** For `choice` and `choices`, in this order. An option that is removed stays in the tickets that have it. */
  options: z
    .array(CustomFieldOption)
    .max(customFieldLimits.options, `At most ${customFieldLimits.options} options`)
    .refine((options) => new Set(options.map(({ value }) => value)).size === options.length, 'Two options have the same value'),
  /** The tickets that have the field, by category; empty: all tickets. */
  categories: z.array(requiredText(ticketLimits.category, 'Enter a category')).max(customFieldLimits.categories),
  /** Whether the forms for customers (portal and widget) ask for it. */
  form: z.enum(customFieldForms),
  /** Whether customers see the value on the page of their ticket. */
  shown_to_customers: z.boolean(),
  /** Whether websites can set it with the widget (`data-field-…`), even if no form asks for it. Visitors could change such a value. */
  set_by_widget: z.boolean(),
  /** Whether staff must fill it in before they resolve or close a ticket. */
  required_to_resolve: z.boolean(),
  /** For customers who read another language than the organization's default. */
  translations: z.partialRecord(CustomerLanguage, Translation),
};

/** A field of tickets that the organization has defined. */
export const CustomField = z.object({
  id: Id,
  /** The member of `custom_fields` in tickets. It never changes. */
  key: z.string(),
  /** It never changes. */
  type: z.enum(customFieldTypes),
  ...settings,
  hint: z.string().nullable(),
  /** From 1, without gaps; 0 for a deleted field. */
  position: z.number().int(),
  /** A deleted field can be restored for 30 days; then its values are deleted, too. */
  deleted_at: Timestamp.nullable(),
  updated_at: Timestamp,
});
export type CustomField = z.infer<typeof CustomField>;

/** A field as forms for customers show it. */
export const FormField = CustomField.pick({
  key: true,
  type: true,
  label: true,
  hint: true,
  options: true,
  categories: true,
  form: true,
  translations: true,
});
export type FormField = z.infer<typeof FormField>;

// ---- inputs ---------------------------------------------------------------------------------------------------

const hasOptions = ({ type, options }: { type: CustomField['type']; options: CustomFieldOption[] }) =>
  (type === 'choice' || type === 'choices') === options.length > 0;
export const CreateCustomField = z
  .strictObject({
    key,
    type: z.enum(customFieldTypes),
    ...settings,
    options: settings.options.default([]),
    categories: settings.categories.default([]),
    form: settings.form.default('hidden'),
    shown_to_customers: settings.shown_to_customers.default(false),
    set_by_widget: settings.set_by_widget.default(false),
    required_to_resolve: settings.required_to_resolve.default(false),
    translations: settings.translations.default({}),
  })
  .refine(hasOptions, { path: ['options'], message: 'Add options exactly if the type is choice or choices' });
export type CreateCustomField = z.infer<typeof CreateCustomField>;
export const UpdateCustomField = z
  .strictObject(settings)
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change');
export type UpdateCustomField = z.infer<typeof UpdateCustomField>;

// ---- operations -----------------------------------------------------------------------------------------------

const byId = { params: z.object({ id: Id }) };
const write = { owner, allow: 'custom_field.write', token: 'organization:write' } as const;

export const listCustomFields = operation({
  name: 'tickets.listCustomFields',
  summary: 'List the custom fields in their order, then the deleted ones that can be restored.',
  owner,
  method: 'GET',
  path: '/custom-fields',
  allow: 'ticket.read',
  token: 'tickets:read',
  output: z.array(CustomField),
});
export const createCustomField = operation({
  name: 'tickets.createCustomField',
  summary: 'Add a custom field after the existing ones.',
  ...write,
  method: 'POST',
  path: '/custom-fields',
  status: 201,
  idempotent: true,
  input: { body: CreateCustomField },
  output: CustomField,
  problems: ['custom_field.too_many', 'custom_field.key_taken'],
});
export const updateCustomField = operation({
  name: 'tickets.updateCustomField',
  summary: 'Change a custom field. Its key and its type stay.',
  ...write,
  method: 'PATCH',
  path: '/custom-fields/:id',
  input: { ...byId, body: UpdateCustomField },
  output: CustomField,
  problems: ['custom_field.not_found'],
});
export const deleteCustomField = operation({
  name: 'tickets.deleteCustomField',
  summary: 'Delete a custom field. It and its values can be restored for 30 days. Rules that use it are turned off.',
  ...write,
  method: 'DELETE',
  path: '/custom-fields/:id',
  input: byId,
  output: z.object({}),
  problems: ['custom_field.not_found'],
});
export const restoreCustomField = operation({
  name: 'tickets.restoreCustomField',
  summary: 'Restore a deleted custom field with its values, after the existing ones.',
  ...write,
  method: 'POST',
  path: '/custom-fields/:id/restore',
  input: byId,
  output: CustomField,
  problems: ['custom_field.not_found', 'custom_field.too_many'],
});
export const orderCustomFields = operation({
  name: 'tickets.orderCustomFields',
  summary: 'Set the order of all custom fields.',
  ...write,
  method: 'PUT',
  path: '/custom-fields/order',
  input: { body: z.strictObject({ ids: z.array(Id).max(customFieldLimits.fields) }) },
  output: z.array(CustomField),
  problems: ['custom_field.order_incomplete'],
});
export const listFormFields = operation({
  name: 'tickets.listFormFields',
  summary: 'The custom fields that the form for customers asks for, in their order.',
  owner,
  method: 'GET',
  path: '/public/form-fields',
  allow: 'portal',
  output: z.array(FormField),
});
export const listWidgetFields = operation({
  name: 'tickets.listWidgetFields',
  summary: 'The custom fields that the widget’s form asks for, in their order.',
  owner,
  method: 'GET',
  path: '/widget/v1/form-fields',
  allow: 'widget',
  limit: 'widget',
  input: { query: z.strictObject({ organization: text(100) }) },
  output: z.array(FormField),
  problems: ['organization.not_found'],
});

// ---- events and jobs ------------------------------------------------------------------------------------------

/** For the audit log, and for the services that show a field's name. Its subject is the field. */
export const customFieldChanged = event(
  'custom_field.changed',
  owner,
  z.object({
    what: z.enum(['created', 'updated', 'reordered', 'deleted', 'restored']),
    field: CustomField,
    changes: Changes,
  }),
  { audited: true },
);
/** Deletes a field that can no longer be restored, and its values in batches; its row is the source of truth. */
export const purgeCustomField = job({
  type: 'purge_custom_field',
  owner,
  queue: 'custom-fields',
  data: z.object({ field_id: Id }),
  attempts: 3,
  backoffMs: [10_000, 60_000],
});
