import { blankField, draftOf, errorsAt, fieldErrors, filledOptions, newOption, settingsOf, suggestKey } from './field-form';

const plans = ['Basic', 'Pro'].map((label) => ({ value: label.toLowerCase(), label }));
const choice = { ...blankField, type: 'choice' as const, label: 'Plan', options: plans };

it.each([
  ['Order number', 'order_number'],
  ['  Größe (cm) ', 'grosse_cm'],
  ['2FA enabled', 'field_2fa_enabled'],
  ['Номер заказа', 'field'],
  ['A label that is far too long for the key of a field', 'a_label_that_is_far_too_long_for_the_key'],
])('suggests a key for %s', (label, key) => expect(suggestKey(label, [], 'field')).toBe(key));

it('suggests a key that no other field has', () => {
  expect(suggestKey('Order number', ['order_number', 'order_number_2'], 'field')).toBe('order_number_3');
  const long = 'x'.repeat(40);
  expect(suggestKey(long, [long], 'field')).toBe(`${'x'.repeat(38)}_2`);
});

it('gives new options a value of their own, and leaves out empty ones', () => {
  const rows = [...draftOf(choice).options, newOption('pro'), newOption('PRO!'), newOption(' ')];
  expect(filledOptions(rows).map(({ value, label }) => [value, label])).toEqual([
    ['basic', 'Basic'],
    ['pro', 'Pro'],
    ['pro_2', 'pro'],
    ['pro_3', 'PRO!'],
  ]);
});

it('keeps the value of an option that is renamed', () => {
  const draft = draftOf(choice);
  draft.options[0]!.label = 'Starter';
  expect(settingsOf(draft).options[0]).toEqual({ value: 'basic', label: 'Starter' });
});

it('sends options for choices only', () => expect(settingsOf({ ...draftOf(choice), type: 'text' }).options).toEqual([]));

it('sends a translation only if it has a text, without the options that were removed', () => {
  const draft = draftOf({
    ...choice,
    translations: {
      de: { label: 'Tarif', hint: null, options: { basic: 'Einfach', pro: 'Profi' } },
      fr: { label: 'Formule', hint: null, options: {} },
    },
  });
  draft.options = draft.options.filter(({ value }) => value !== 'basic');
  draft.translations.fr!.label = ' ';
  expect(settingsOf(draft).translations).toEqual({ de: { label: 'Tarif', hint: null, options: { pro: 'Profi' } } });
});

describe('the errors of a field', () => {
  it('name what is missing', () => {
    expect(fieldErrors(draftOf(blankField), [])).toEqual({ label: 'Enter a label' });
    expect(fieldErrors({ ...draftOf(choice), options: [newOption()] }, [])).toEqual({ options: 'Add at least one option' });
    const draft = { ...draftOf(choice), translations: { de: { label: '', hint: 'Siehe Rechnung', options: {} } } };
    expect(fieldErrors(draft, [])).toEqual({ 'translations.de.label': 'Enter the label in this language, too' });
  });

  it.each([
    ['Plan', /^Use lower-case/],
    ['', /^Use lower-case/],
    ['plan', /has this key$/],
    ['plan_2', undefined],
  ])('refuse the key %j of a new field: %s', (key, message) => {
    const { key: error } = fieldErrors({ ...draftOf(choice), key }, ['plan']);
    if (message) expect(error).toMatch(message);
    else expect(error).toBeUndefined();
  });

  it('name options without a label, and options with the same label', () => {
    const draft = draftOf(choice);
    draft.options[1]!.label = '';
    draft.options.push({ ...newOption('Basic'), id: 'new' });
    expect(fieldErrors(draft, undefined)).toEqual({ 'option pro': 'Enter a label', 'option new': 'Another option has this label' });
  });
});

it('finds the inputs of the server’s problems', () => {
  const draft = draftOf(choice);
  draft.options.unshift(newOption());
  const problems = ['label', 'options.1.label', 'categories.2', 'translations.de.options.pro', 'translations.de.hint', 'version'];
  expect(
    Object.keys(
      errorsAt(
        draft,
        problems.map((path) => ({ path, message: 'Not allowed' })),
      ),
    ),
  ).toEqual(['label', 'option pro', 'categories', 'translations.de.option pro', 'translations.de.hint', 'other']);
});
