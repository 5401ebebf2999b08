import {
  AppError,
  customFieldName,
  FormField,
  isCustomFieldName,
  keyOfName,
  type Context,
  type CustomField,
  type CustomFieldChanges,
  type CustomFieldValues,
  type PublicTicket,
  type RuleAction,
  type RuleCondition,
  type Ticket,
} from '@tandem/contracts';
import { customFieldOperators, fieldValueProblem } from '@tandem/contracts/values';
import type { TicketsTx } from '../schema';
import { isResolvedOrClosed } from '../ticket/ticket';
import type { NewTicket } from '../ticket/ticket-fields';
import { checkRequired, valuesOfForm, valuesOfWidget, withChanges } from './custom-field';
import { findActiveFields } from './custom-field.store';

type WithValues = Pick<Ticket, 'custom_fields'>;

/** A patch with all values of the ticket's custom fields instead of the changes to them. */
export async function withFieldValues<Patch extends { custom_fields?: CustomFieldChanges | undefined }>(
  tx: TicketsTx,
  before: WithValues,
  patch: Patch,
): Promise<Patch & { custom_fields?: CustomFieldValues }> {
  if (patch.custom_fields === undefined) return patch as Patch & { custom_fields?: CustomFieldValues };
  return { ...patch, custom_fields: withChanges(await findActiveFields(tx), before.custom_fields, patch.custom_fields) };
}

/** The checked values of a new ticket. Reads the fields only if there is something to check. */
export async function valuesOfNewTicket(
  tx: TicketsTx,
  { custom_fields = {}, form, category = null }: Pick<NewTicket, 'custom_fields' | 'form' | 'category'>,
): Promise<CustomFieldValues> {
  if (form === undefined && Object.keys(custom_fields).length === 0) return {};
  const fields = await findActiveFields(tx);
  if (form === undefined) return withChanges(fields, {}, custom_fields);
  return form === 'portal' ? valuesOfForm(fields, custom_fields, category) : valuesOfWidget(fields, custom_fields);
}

/** People and API tokens must fill in required fields before they resolve or close a ticket; rules, customers and task tools need not. */
export async function checkBeforeResolving(
  tx: TicketsTx,
  ctx: Context,
  before: Pick<Ticket, 'status' | 'category' | 'custom_fields'>,
  change: Partial<Pick<Ticket, 'status' | 'category' | 'custom_fields'>>,
): Promise<void> {
  if (!change.status || !isResolvedOrClosed(change.status) || isResolvedOrClosed(before.status)) return;
  if (ctx.actor.type !== 'user' && ctx.actor.type !== 'token') return;
  checkRequired(await findActiveFields(tx), { ...before, ...change });
}

/** The values that the customer sees. */
export async function publicFields(tx: TicketsTx, { custom_fields }: WithValues): Promise<PublicTicket['custom_fields']> {
  if (Object.keys(custom_fields).length === 0) return [];
  const shown = (await findActiveFields(tx)).filter(({ shown_to_customers }) => shown_to_customers);
  return shown.flatMap((field) => {
    const value = custom_fields[field.key];
    return value === undefined ? [] : [{ field: FormField.parse(field), value }];
  });
}

/** Refuses a condition that compares a field that does not exist, or in a way that its type does not allow. */
export async function checkFieldsOfCondition(tx: TicketsTx, condition: RuleCondition | undefined, path: string): Promise<void> {
  const compared = comparisonsIn(condition);
  if (compared.length === 0) return;
  const fields = await findActiveFields(tx);
  for (const { key, op } of compared) {
    const field = getField(fields, key, path);
    const operators: readonly string[] = customFieldOperators[field.type];
    if (!operators.includes(op)) throw invalid(path, `${field.label} can be compared with: ${operators.join(', ')}`);
  }
}

/** Refuses actions that set a field that does not exist, or to a value that its type does not allow. */
export async function checkFieldsOfActions(tx: TicketsTx, actions: readonly RuleAction[]): Promise<void> {
  if (!actions.some(({ type }) => type === 'set_field')) return;
  const fields = await findActiveFields(tx);
  for (const [i, action] of actions.entries()) {
    if (action.type !== 'set_field') continue;
    const field = getField(fields, action.key, `actions.${i}.key`);
    const problem = action.value === null ? undefined : fieldValueProblem(field, action.value);
    if (problem) throw invalid(`actions.${i}.value`, problem);
  }
}

const invalid = (path: string, message: string) => new AppError('request.invalid', { fields: [{ path, code: 'invalid', message }] });

function getField(fields: readonly CustomField[], key: string, path: string): CustomField {
  const field = fields.find((each) => each.key === key);
  if (!field) throw invalid(path, `There is no custom field ${customFieldName(key)}`);
  return field;
}

/** The comparisons of custom fields in a condition. */
function comparisonsIn(condition: RuleCondition | undefined): { key: string; op: string }[] {
  if (!condition) return [];
  if ('field' in condition) return isCustomFieldName(condition.field) ? [{ key: keyOfName(condition.field), op: condition.op }] : [];
  return ('all' in condition ? condition.all : condition.any).flatMap(comparisonsIn);
}
