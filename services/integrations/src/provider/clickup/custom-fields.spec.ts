import { customFieldTypes, type CustomFieldType, type CustomFieldValue } from '@tandem/contracts/values';
import type { ListField } from '../task-tool';
import { fieldTypes, fieldValue, usableFields } from './custom-fields';

const aField = (type: string, options: string[] = []): ListField => ({
  id: 'f',
  name: 'Field',
  type,
  options: options.map((name) => ({ id: `id of ${name}`, name })),
});

describe('types', () => {
  const clickUpTypes = [
    'text',
    'short_text',
    'url',
    'email',
    'phone',
    'number',
    'currency',
    'date',
    'checkbox',
    'drop_down',
    'labels',
    'users',
  ];
  const fitting: Record<CustomFieldType, string[]> = {
    text: ['text', 'short_text', 'url', 'email'],
    long_text: ['text', 'short_text', 'url', 'email'],
    number: ['number', 'currency'],
    date: ['date'],
    yes_no: ['checkbox'],
    choice: ['drop_down'],
    choices: ['labels'],
  };

  it.each(customFieldTypes.flatMap((ours) => clickUpTypes.map((theirs) => [ours, theirs] as const)))(
    '%s fits %s only if both hold the same kind',
    (ours, theirs) => expect(fieldTypes[ours].includes(theirs)).toBe(fitting[ours].includes(theirs)),
  );
});

describe('a value for ClickUp', () => {
  it.each<[CustomFieldType, string, CustomFieldValue, unknown]>([
    ['text', 'text', 'Berlin', 'Berlin'],
    ['text', 'short_text', 'Berlin', 'Berlin'],
    ['text', 'url', 'https://example.com/a?b=1', 'https://example.com/a?b=1'],
    ['text', 'email', 'ada@example.com', 'ada@example.com'],
    ['long_text', 'text', 'One\nTwo', 'One\nTwo'],
    ['long_text', 'short_text', 'One\nTwo', 'One\nTwo'],
    ['long_text', 'url', 'http://example.com', 'http://example.com'],
    ['long_text', 'email', 'ada@example.com', 'ada@example.com'],
    ['number', 'number', -1.5, -1.5],
    ['number', 'currency', 0, 0],
    ['yes_no', 'checkbox', true, true],
    ['yes_no', 'checkbox', false, false],
  ])('of %s for %s is sent as it is', (type, theirs, value, sent) =>
    expect(fieldValue(aField(theirs), type, value)).toEqual({ value: sent }),
  );

  it.each(['Pacific/Honolulu', 'America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'Pacific/Auckland'])(
    'of a date is the same day in %s',
    (timeZone) => {
      for (const day of ['2026-01-31', '2026-07-01']) {
        const { value } = fieldValue(aField('date'), 'date', day);
        expect(new Intl.DateTimeFormat('sv-SE', { timeZone }).format(value as number)).toBe(day);
      }
    },
  );

  it.each([
    ['email', 'ask Ada', 'The value of “Field” is not an email address. It was not sent.'],
    ['url', 'example dot com', 'The value of “Field” is not a URL. It was not sent.'],
    ['url', 'javascript:alert(1)', 'The value of “Field” is not a URL. It was not sent.'],
  ])('for %s is left out if it is “%s”', (type, value, problem) =>
    expect(fieldValue(aField(type), 'text', value)).toEqual({ value: null, problem }),
  );

  it('of a choice is the id of the option with that name, regardless of case and surrounding spaces', () => {
    const field = aField('drop_down', ['Basic', ' PRO ']);
    expect(fieldValue(field, 'choice', 'pro')).toEqual({ value: 'id of  PRO ' });
    expect(fieldValue(field, 'choice', 'Gold')).toEqual({
      value: null,
      problem: 'The list’s field “Field” has no option “Gold”. It was not sent.',
    });
  });

  it('of several choices contains those that the list has', () => {
    const field = aField('labels', ['Red', 'Green']);
    expect(fieldValue(field, 'choices', ['green', 'Red'])).toEqual({ value: ['id of Green', 'id of Red'] });
    expect(fieldValue(field, 'choices', ['Blue', 'Red', 'Pink'])).toEqual({
      value: ['id of Red'],
      problem: 'The list’s field “Field” has no options “Blue” and “Pink”. They were not sent.',
    });
    expect(fieldValue(field, 'choices', ['Blue']).value).toBeNull();
  });
});

it('reads the names of options from dropdowns and labels, and leaves out types without an equivalent', () => {
  const fields = [
    { id: '1', name: 'Plan', type: 'drop_down', type_config: { options: [{ id: 'a', name: 'Pro' }] } },
    { id: '2', name: 'Color', type: 'labels', type_config: { options: [{ id: 'b', label: 'Red' }] } },
    { id: '3', name: 'City', type: 'short_text', type_config: {} },
    { id: '4', name: 'Owner', type: 'users', type_config: null },
  ];
  expect(usableFields(fields)).toEqual([
    { id: '1', name: 'Plan', type: 'drop_down', options: [{ id: 'a', name: 'Pro' }] },
    { id: '2', name: 'Color', type: 'labels', options: [{ id: 'b', name: 'Red' }] },
    { id: '3', name: 'City', type: 'short_text', options: [] },
  ]);
});
