import {
  articleLimits,
  CreateCustomField,
  CreateMacro,
  CreateRule,
  CreateSlaPolicy,
  CreateView,
  customFieldChanged,
  customFieldLimits,
  macroLimits,
  ruleLimits,
  type ArticleCategoryRecord,
  type ImportProblemCode,
  type TenantContext,
} from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import { findCategories, insertCategory, lockCategories } from '../article/article-category.store';
import { findCustomFields, insertCustomField, lockCustomFields } from '../custom-field/custom-field.store';
import { insertMacro, measureMacrosForUpdate } from '../macro/macro.store';
import { insertRule, lockRules, measureRules } from '../rule/rule.store';
import type { TicketsTx } from '../schema';
import { countPolicies, insertPolicy, lockPolicies } from '../sla/sla.store';
import { countViewsForUpdate, insertView } from '../view/view.store';
import { keptNumber } from './article-number';
import { addCounts, recordId, type Counts } from './import';
import { saveImport, type StoredImport } from './import.store';
import { insertProblems, nextRecords, saveOutcomes, storableProblems, type BatchRecord, type Outcome } from './record.store';
import type { BatchResult } from './ticket-batch';

/** In this order: rules and canned replies can name fields. */
export const settingKinds = ['custom_field', 'sla_policy', 'article_category', 'canned_reply', 'view', 'rule'] as const;
export type SettingKind = (typeof settingKinds)[number];
export const settingTables = {
  custom_field: 'custom_fields',
  sla_policy: 'sla_policies',
  article_category: 'article_categories',
  canned_reply: 'macros',
  view: 'views',
  rule: 'rules',
} as const satisfies Record<SettingKind, string>;

const batchSize = 20;
const maxViews = 100;
const maxPolicies = 100;

interface Context {
  tx: TicketsTx;
  ctx: TenantContext;
  row: StoredImport;
  id: string;
  now: string;
}
/** An existing one of the same name or key is used instead of a second one. */
type Result = 'created' | { existing: string } | { failed: ImportProblemCode; field: string | null };

/** Creates the next settings of a kind. */
export async function importSettings(
  tx: TicketsTx,
  ctx: TenantContext,
  row: StoredImport,
  kind: SettingKind,
  counts: Counts,
  limit: number,
): Promise<BatchResult> {
  const records = await nextRecords(tx, row, kind, row.position!.after, Math.min(limit, batchSize));
  const problems = { ...row.problems };
  for (const record of records) {
    const id = recordId(row, kind, record.key);
    const result = (await hasRow(tx, kind, id))
      ? { existing: id }
      : await create(kind, { tx, ctx, row, id, now: new Date().toISOString() }, record);
    const outcome = await outcomeOf(tx, kind, record.key, id, result);
    await saveOutcomes(tx, row, kind, [outcome]);
    addCounts(counts, kind, { [outcome.state]: 1 });
    if (typeof result === 'object' && 'failed' in result) {
      if (storableProblems(problems) > 0) await insertProblems(tx, row, [problemOf(record, result)]);
      problems[result.failed] = (problems[result.failed] ?? 0) + 1;
    }
  }
  if (records.length > 0) await saveImport(tx, row, { problems });
  const last = records.at(-1);
  return last && { last, numbers: 0 };
}

const problemOf = ({ kind, key, position, place }: BatchRecord, { failed, field }: { failed: ImportProblemCode; field: string | null }) => ({
  code: failed, kind, key, position, field, value: null, ...place,
}); // prettier-ignore

async function hasRow(tx: TicketsTx, kind: SettingKind, id: string): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(settingTables[kind])} where id = ${id}`.execute(tx);
  return rows.length > 0;
}

async function outcomeOf(tx: TicketsTx, kind: SettingKind, key: string, id: string, result: Result): Promise<Outcome> {
  if (result === 'created') return { key, state: 'created', record_id: id, fingerprint: await fingerprintOf(tx, kind, id) };
  return 'existing' in result ? { key, state: 'existing', record_id: result.existing } : { key, state: 'failed', record_id: null };
}

/** Changes with every change of a setting, except of its place in a list. */
async function fingerprintOf(tx: TicketsTx, kind: SettingKind, id: string): Promise<string | null> {
  const { rows } = await sql<{ fingerprint: string }>`select ${fingerprint} as fingerprint from ${sql.table(settingTables[kind])} s where id = ${id}`.execute(tx); // prettier-ignore
  return rows[0]?.fingerprint ?? null;
}
export const fingerprint = sql<string>`md5((to_jsonb(s) - 'position')::text)`;

function create(kind: SettingKind, context: Context, { data, key }: BatchRecord): Promise<Result> | Result {
  if (kind === 'article_category') return createCategory(context, data as unknown as ArticleCategoryRecord);
  if (kind === 'custom_field') return createField(context, { ...data, key });
  const settings = (data as { data: Record<string, unknown> }).data;
  if (kind === 'sla_policy') return createPolicy(context, settings);
  if (kind === 'canned_reply') return createMacro(context, settings);
  return kind === 'view' ? createView(context, settings) : createRule(context, settings);
}

const invalid = (error: { issues: { path: PropertyKey[] }[] }): Result => ({
  failed: 'value.invalid',
  field: error.issues[0]?.path.join('.').slice(0, 100) || null,
});
const full: Result = { failed: 'record.limit', field: null };
/** Without members that the schema does not have, such as the times of a change. */
const only = (shape: object, data: object) => Object.fromEntries(Object.entries(data).filter(([name]) => name in shape));

async function createField({ tx, ctx, row: { organization_id }, id, now }: Context, data: object): Promise<Result> {
  await lockCustomFields(tx, organization_id);
  const parsed = CreateCustomField.safeParse(only(CreateCustomField.shape, data));
  if (!parsed.success) return invalid(parsed.error);
  const all = await findCustomFields(tx);
  const same = all.find(({ key }) => key === parsed.data.key);
  if (same) return same.type === parsed.data.type ? { existing: same.id } : { failed: 'value.invalid', field: 'type' };
  const active = all.filter(({ deleted_at }) => deleted_at === null).length;
  if (active >= customFieldLimits.fields || all.length >= customFieldLimits.stored) return full;
  const field = { ...parsed.data, id, position: active + 1, deleted_at: null, updated_at: now };
  await insertCustomField(tx, organization_id, field);
  // Other services show the name of a field.
  await emit(tx, ctx, customFieldChanged, id, { what: 'created', field, changes: {} });
  return 'created';
}

async function createCategory(
  { tx, row: { organization_id }, id, now }: Context,
  { name, description, number: wanted }: ArticleCategoryRecord,
): Promise<Result> {
  await lockCategories(tx, organization_id);
  const all = await findCategories(tx);
  const same = all.find((category) => category.name.toLowerCase() === name.toLowerCase());
  if (same) return { existing: same.id };
  if (all.length >= articleLimits.categories) return full;
  const number = await keptNumber(tx, organization_id, wanted);
  await insertCategory(tx, organization_id, { id, number, name, description, position: all.length + 1, article_count: 0, updated_at: now });
  return 'created';
}

/** A policy is active only if its priority has no active one. */
async function createPolicy({ tx, row: { organization_id }, id, now }: Context, data: object): Promise<Result> {
  await lockPolicies(tx, organization_id);
  const parsed = CreateSlaPolicy.safeParse(only(CreateSlaPolicy.shape, data));
  if (!parsed.success) return invalid(parsed.error);
  if ((await countPolicies(tx)) >= maxPolicies) return full;
  const { priority_level } = parsed.data;
  const active = tx.selectFrom('sla_policies').select('id').where('priority_level', '=', priority_level).where('is_active', '=', true);
  const is_active = parsed.data.is_active && (await active.executeTakeFirst()) === undefined;
  await insertPolicy(tx, { ...parsed.data, organization_id, id, is_active, created_at: now });
  return 'created';
}

async function createMacro(context: Context, data: Record<string, unknown>): Promise<Result> {
  const { tx, row, id, now } = context;
  const mapped = withUsers(row, only(CreateMacro.shape, data));
  const parsed = CreateMacro.safeParse(mapped);
  if (!parsed.success) return invalid(parsed.error);
  if (!(await areMembers(tx, [parsed.data.changes.assigned_to]))) return { failed: 'value.invalid', field: 'changes.assigned_to' };
  const owner_id = ownerOf(row, data);
  if (owner_id === null) return { failed: 'value.missing', field: 'owner_id' };
  const { count, characters } = await measureMacrosForUpdate(tx, owner_id);
  if (count >= macroLimits.own || characters + parsed.data.content.length > macroLimits.characters) return full;
  await insertMacro(tx, row.organization_id, { ...parsed.data, id, owner_id, updated_at: now });
  return 'created';
}

async function createView({ tx, row, id, now }: Context, data: Record<string, unknown>): Promise<Result> {
  const parsed = CreateView.safeParse(withUsers(row, only(CreateView.shape, data)));
  if (!parsed.success) return invalid(parsed.error);
  const owner_id = ownerOf(row, data);
  if (owner_id === null) return { failed: 'value.missing', field: 'owner_id' };
  if ((await countViewsForUpdate(tx, owner_id)) >= maxViews) return full;
  await insertView(tx, row.organization_id, { ...parsed.data, id, owner_id, created_at: now });
  return 'created';
}

/** Imported rules are turned off: an admin reads them before they change tickets. */
async function createRule({ tx, row, id, now }: Context, data: Record<string, unknown>): Promise<Result> {
  const parsed = CreateRule.safeParse({ ...withUsers(row, only(CreateRule.shape, data)), is_active: false });
  if (!parsed.success) return invalid(parsed.error);
  const users = parsed.data.actions.flatMap((action) =>
    action.type === 'assign' ? [action.to === 'round_robin' ? null : action.to] : 'user_ids' in action ? action.user_ids : [],
  );
  if (!(await areMembers(tx, users))) return { failed: 'value.invalid', field: 'actions' };
  await lockRules(tx, row.organization_id);
  const { count } = await measureRules(tx);
  if (count >= ruleLimits.rules) return full;
  const rule = { ...parsed.data, id, position: count + 1, version: 1, disabled_reason: null, updated_by: row.created_by, updated_at: now };
  await insertRule(tx, row.organization_id, rule);
  return 'created';
}

async function areMembers(tx: TicketsTx, ids: readonly (string | null | undefined)[]): Promise<boolean> {
  const wanted = [...new Set(ids.filter((id): id is string => typeof id === 'string'))];
  if (wanted.length === 0) return true;
  const found = await tx.selectFrom('members').select('user_id').where('user_id', 'in', wanted).execute();
  return found.length === wanted.length;
}

const usersOf = ({ teammates }: StoredImport) => new Map(teammates.map(({ key, user_id }) => [key, user_id]));
/** The member who owned it, else the importing admin. */
const ownerOf = (row: StoredImport, { owner_id }: Record<string, unknown>): string | null =>
  (typeof owner_id === 'string' ? usersOf(row).get(owner_id) : undefined) ?? row.created_by;

/** Keys of teammates become members. Keys of those who are no members stay: no id is valid that `areMembers` does not know. */
function withUsers(row: StoredImport, data: object): Record<string, unknown> {
  const users = usersOf(row);
  const mapped = (value: unknown): unknown => {
    if (typeof value === 'string') return users.get(value) ?? value;
    if (Array.isArray(value)) return value.map(mapped);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapped(each)]));
  };
  return mapped(data) as Record<string, unknown>;
}
