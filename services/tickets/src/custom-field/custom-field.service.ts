import { Controller } from '@nestjs/common';
import {
  AppError,
  createCustomField,
  customFieldChanged,
  customFieldLimits,
  deleteCustomField,
  FormField,
  listCustomFields,
  listFormFields,
  listWidgetFields,
  orderCustomFields,
  restoreCustomField,
  updateCustomField,
  type Changes,
  type CustomField,
  type DataOf,
  type InputOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles, storeResponse } from '@tandem/messaging';
import { isDeepStrictEqual } from 'node:util';
import { disableRulesWithField } from '../rule/rule-disable';
import { lockRules } from '../rule/rule.store';
import type { TicketsSchema, TicketsTx } from '../schema';
import { isAskedByWidget } from './custom-field';
import {
  findActiveFields,
  findCustomField,
  findCustomFields,
  insertCustomField,
  lockCustomFields,
  moveUpAfter,
  saveCustomField,
  saveFieldOrder,
} from './custom-field.store';

const fieldMissing = () => new AppError('custom_field.not_found');

/** The custom fields of an organization. `custom-field.ts` has the rules for their values. */
@Controller()
export class CustomFieldService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(listCustomFields)
  list(ctx: TenantContext): Promise<CustomField[]> {
    return this.db.readTenant(ctx, findCustomFields);
  }

  @Handles(listFormFields)
  async listOfForm(ctx: TenantContext): Promise<FormField[]> {
    const fields = await this.db.readTenant(ctx, findActiveFields);
    return fields.filter(({ form }) => form !== 'hidden').map((field) => FormField.parse(field));
  }

  @Handles(listWidgetFields)
  async listOfWidget(ctx: TenantContext): Promise<FormField[]> {
    const fields = await this.db.readTenant(ctx, findActiveFields);
    return fields.filter(isAskedByWidget).map((field) => FormField.parse(field));
  }

  @Handles(createCustomField)
  create(ctx: TenantContext, { body }: InputOf<typeof createCustomField>): Promise<CustomField> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockCustomFields(tx, ctx.organization_id);
      const all = await findCustomFields(tx);
      const position = nextPosition(all);
      if (all.length >= customFieldLimits.stored) throw tooManyDeleted();
      if (all.some(({ key }) => key === body.key)) throw new AppError('custom_field.key_taken');
      const field = { ...body, id: newId(), position, deleted_at: null, updated_at: new Date().toISOString() };
      await insertCustomField(tx, ctx.organization_id, field);
      await announce(tx, ctx, 'created', field);
      return storeResponse(tx, field);
    });
  }

  @Handles(updateCustomField)
  update(ctx: TenantContext, { params, body }: InputOf<typeof updateCustomField>): Promise<CustomField> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockCustomFields(tx, ctx.organization_id);
      const before = await findCustomField(tx, params.id);
      if (!before || before.deleted_at !== null) throw fieldMissing();
      const field = { ...before, ...body };
      if (hasOptions(field) !== field.options.length > 0) throw wrongOptions(field);
      const changes = changesBetween(before, body);
      if (Object.keys(changes).length === 0) return before;
      field.updated_at = new Date().toISOString();
      await saveCustomField(tx, field);
      await announce(tx, ctx, 'updated', field, changes);
      return field;
    });
  }

  @Handles(deleteCustomField)
  remove(ctx: TenantContext, { params }: InputOf<typeof deleteCustomField>): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockCustomFields(tx, ctx.organization_id);
      const before = await findCustomField(tx, params.id);
      if (!before || before.deleted_at !== null) throw fieldMissing();
      const now = new Date().toISOString();
      const field = { ...before, position: 0, deleted_at: now, updated_at: now };
      await saveCustomField(tx, field);
      await moveUpAfter(tx, before.position);
      await lockRules(tx, ctx.organization_id);
      await disableRulesWithField(tx, ctx, field);
      await announce(tx, ctx, 'deleted', field);
      return {};
    });
  }

  @Handles(restoreCustomField)
  restore(ctx: TenantContext, { params }: InputOf<typeof restoreCustomField>): Promise<CustomField> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockCustomFields(tx, ctx.organization_id);
      const before = await findCustomField(tx, params.id);
      if (!before) throw fieldMissing();
      if (before.deleted_at === null) return before;
      const position = nextPosition(await findCustomFields(tx));
      const field = { ...before, position, deleted_at: null, updated_at: new Date().toISOString() };
      await saveCustomField(tx, field);
      await announce(tx, ctx, 'restored', field);
      return field;
    });
  }

  @Handles(orderCustomFields)
  order(ctx: TenantContext, { body: { ids } }: InputOf<typeof orderCustomFields>): Promise<CustomField[]> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockCustomFields(tx, ctx.organization_id);
      const fields = await findActiveFields(tx);
      const isComplete = new Set(ids).size === fields.length && fields.every(({ id }) => ids.includes(id));
      if (!isComplete || ids.length !== fields.length) throw new AppError('custom_field.order_incomplete');
      const moved = fields.find(({ id }, index) => ids[index] !== id);
      if (!moved) return fields;
      await saveFieldOrder(tx, ctx.organization_id, ids);
      const labels = ids.map((each) => fields.find(({ id }) => id === each)!.label);
      await announce(tx, ctx, 'reordered', moved, { order: { from: fields.map(({ label }) => label), to: labels } });
      return findActiveFields(tx);
    });
  }
}

function nextPosition(all: readonly CustomField[]): number {
  const active = all.filter(({ deleted_at }) => deleted_at === null);
  if (active.length >= customFieldLimits.fields) throw new AppError('custom_field.too_many');
  return active.length + 1;
}

const tooManyDeleted = () =>
  new AppError('custom_field.too_many', {
    detail: `Deleted fields count for ${customFieldLimits.daysToRestore} days. Restore one and use it.`,
  });

const hasOptions = ({ type }: Pick<CustomField, 'type'>): boolean => type === 'choice' || type === 'choices';
const wrongOptions = (field: CustomField) =>
  new AppError('request.invalid', {
    fields: [{ path: 'options', code: 'invalid', message: hasOptions(field) ? 'Add at least one option' : 'Only choices have options' }],
  });

/** PostgreSQL stores the members of an object in an order of its own, so it does not count. */
const changesBetween = (before: CustomField, after: Partial<CustomField>): Changes =>
  Object.fromEntries(
    (Object.keys(after) as (keyof CustomField)[])
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, { from: before[name], to: after[name] }]),
  );

const announce = (
  tx: TicketsTx,
  ctx: TenantContext,
  what: DataOf<typeof customFieldChanged>['what'],
  field: CustomField,
  changes: Changes = {},
): Promise<void> => emit(tx, ctx, customFieldChanged, field.id, { what, field, changes });
