import type { CustomFieldType } from '@tandem/contracts/values';
import { taskFieldName } from '../provider/field-names';
import { clickup } from '../provider/clickup/clickup';
import { github } from '../provider/github/github';
import type { CustomFieldDefinition, IntegrationRow, TicketCopy } from '../schema';
import { compareTaskFields, taskFields } from './custom-fields';
import type { Pair } from './fields';
import type { Shadow } from './merge';

const region = taskFieldName('region');
const plan = taskFieldName('plan');
const definition = (key: string, label: string, type: CustomFieldType = 'text', options: string[] = []): CustomFieldDefinition => ({
  key,
  label,
  type,
  options: options.map((value) => ({ value, label: value.toUpperCase() })),
});
const aPair = ({
  values = {},
  definitions = [definition('region', 'Region'), definition('plan', 'Plan', 'choice', ['pro', 'gold'])],
  integration = {},
  ...overrides
}: Partial<Omit<Pair, 'integration'>> & { values?: TicketCopy['custom_fields']; integration?: Partial<IntegrationRow> } = {}): Pair => ({
  tool: clickup,
  integration: {
    field_mappings: {},
    custom_fields_refused: false,
    list_fields: [
      { id: 'region', name: 'Region', type: 'short_text', options: [] },
      { id: 'plan', name: 'plan ', type: 'drop_down', options: [{ id: 'o-pro', name: 'Pro' }] },
    ],
    ...integration,
  } as unknown as IntegrationRow,
  copy: { ticket_id: 't', ticket_number: 'NW-1', custom_fields: values } as TicketCopy,
  task: {} as Pair['task'],
  shadow: {},
  definitions,
  ...overrides,
});
/** The shadow after these values were sent. */
const sent = (values: Record<string, unknown>): Shadow =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [taskFieldName(id), { ticket: null, task: JSON.stringify(value) }]));

describe('custom fields of a task', () => {
  it('get the values of the custom fields with the same name, regardless of case and surrounding spaces', () =>
    expect(taskFields(aPair({ values: { region: 'EMEA', plan: 'pro' } }))).toEqual([
      { name: region, value: '"EMEA"' },
      { name: plan, value: '"o-pro"' },
    ]));

  it('get nothing from a custom field with another name or a type that does not fit', () => {
    expect(taskFields(aPair({ definitions: [definition('region', 'Regions')], values: { region: 'EMEA' } }))).toEqual([]);
    expect(taskFields(aPair({ definitions: [definition('region', 'Region', 'number')], values: { region: 7 } }))).toEqual([]);
  });

  it('get the value that exists if several custom fields have the same name', () => {
    const definitions = [definition('a', 'Region'), definition('b', 'Region')];
    expect(taskFields(aPair({ definitions, values: { b: 'EMEA' } }))).toEqual([{ name: region, value: '"EMEA"' }]);
    expect(taskFields(aPair({ definitions, values: { a: 'APAC', b: 'EMEA' } }))).toEqual([{ name: region, value: '"APAC"' }]);
  });

  it('do not include the field for the customer’s address', () => {
    const field_mappings = { customer_email: { direction: 'to_task' as const, field_id: 'region' } };
    expect(taskFields(aPair({ integration: { field_mappings }, values: { region: 'EMEA' } }))).toEqual([{ name: plan, value: null }]);
  });

  it.each([
    ['a tool without custom fields', { tool: github }],
    ['a plan that does not allow them', { integration: { custom_fields_refused: true } }],
    ['a ticket that is not the first of a shared task', { sharing: 'follower' as const }],
  ])('are not written for %s', (_, overrides) => expect(taskFields(aPair({ ...overrides, values: { region: 'EMEA' } }))).toEqual([]));
});

describe('a comparison', () => {
  it('sends a value that was never sent, and one that changed', () => {
    expect(compareTaskFields(aPair({ values: { region: 'EMEA' } })).to_task).toEqual({ [region]: '"EMEA"' });
    expect(compareTaskFields(aPair({ values: { region: 'APAC' }, shadow: sent({ region: 'EMEA' }) })).to_task).toEqual({
      [region]: '"APAC"',
    });
  });

  it('removes a value that was removed', () =>
    expect(compareTaskFields(aPair({ shadow: sent({ region: 'EMEA' }) })).to_task).toEqual({ [region]: null }));

  it('writes a field again if the result of the last write is not known, even if the value is the previous one', () => {
    const { shadow } = compareTaskFields(aPair({ values: { region: 'APAC' }, shadow: sent({ region: 'EMEA' }) }));
    expect(compareTaskFields(aPair({ values: { region: 'EMEA' }, shadow })).to_task).toEqual({ [region]: '"EMEA"' });
    expect(compareTaskFields(aPair({ shadow })).to_task).toEqual({ [region]: null });
  });

  it('sends nothing if nothing changed, and nothing for a field that never had a value', () => {
    const compared = compareTaskFields(aPair({ values: { region: 'EMEA' }, shadow: sent({ region: 'EMEA' }) }));
    expect(compared).toMatchObject({ to_task: {}, notes: [] });
    expect(compared.shadow).toEqual(sent({ region: 'EMEA' }));
  });

  it('sends an option once the list has it', () => {
    const shadow = { [plan]: { ticket: null, task: null, logged: 'The list’s field “plan ” has no option “GOLD”. It was not sent.' } };
    const values = { plan: 'gold' };
    expect(compareTaskFields(aPair({ values, shadow }))).toMatchObject({ to_task: {}, notes: [] });
    const list_fields = [{ id: 'plan', name: 'Plan', type: 'drop_down', options: [{ id: 'o-gold', name: 'Gold' }] }];
    expect(compareTaskFields(aPair({ values, shadow, integration: { list_fields } })).to_task).toEqual({ [plan]: '"o-gold"' });
  });

  it('logs an option that the list does not have once, and removes the previous one', () => {
    const pair = aPair({ values: { plan: 'gold' }, shadow: sent({ plan: 'o-pro' }) });
    const first = compareTaskFields(pair);
    expect(first.to_task).toEqual({ [plan]: null });
    expect(first.notes).toMatchObject([{ level: 'warning', message: 'The list’s field “plan ” has no option “GOLD”. It was not sent.' }]);
    expect(compareTaskFields({ ...pair, shadow: first.shadow })).toMatchObject({ to_task: { [plan]: null }, notes: [] });
  });

  it('does not repeat a value that the task refused, until it changes', () => {
    const refused = { value: '"EMEA"', reason: 'No', tries: 1, retry_at: '2026-01-01T00:00:00.000Z' };
    const shadow = { [region]: { ticket: null, task: null, refused } };
    const same = compareTaskFields(aPair({ values: { region: 'EMEA' }, shadow }));
    expect(same).toMatchObject({ to_task: {}, refused: { [region]: '"EMEA"' } });
    expect(same.shadow).toEqual(shadow);
    expect(compareTaskFields(aPair({ values: { region: 'APAC' }, shadow }))).toMatchObject({
      to_task: { [region]: '"APAC"' },
      refused: {},
    });
    expect(compareTaskFields(aPair({ shadow }))).toMatchObject({ to_task: {}, shadow: { [region]: { ticket: null, task: null } } });
  });

  it('keeps what was sent to a field that is no longer synced, without its refusal', () => {
    const shadow = { [region]: { ticket: null, task: '"EMEA"', refused: { value: null, reason: 'No', tries: 1, retry_at: '' } } };
    const compared = compareTaskFields(aPair({ definitions: [], shadow }));
    expect(compared).toMatchObject({ to_task: {}, refused: {}, notes: [] });
    expect(compared.shadow).toEqual({ [region]: { ticket: null, task: '"EMEA"' } });
  });
});
