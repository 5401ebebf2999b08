import type { CustomField, CustomFieldValue } from '@tandem/contracts';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { useState } from 'react';
import { aCustomField } from '../../testing/backend';
import { FieldInput, fieldInputProblem } from './FieldInput';
import { fieldValueText } from './field-text';

const person = userEvent.setup();
const plans = ['Basic', 'Pro'].map((label) => ({ value: label.toLowerCase(), label }));
const countries = Array.from({ length: 12 }, (_, index) => ({ value: `country_${index}`, label: `Country ${index}` }));

/** Renders the input with a state of its own, and returns the values that it passes. */
function renderInput(field: CustomField, initial: CustomFieldValue | null = null) {
  const passed: (CustomFieldValue | null)[] = [];
  function Form() {
    const [value, setValue] = useState(initial);
    return (
      <FieldInput
        field={field}
        value={value}
        onChange={(next) => {
          passed.push(next);
          setValue(next);
        }}
      />
    );
  }
  render(<Form />);
  return passed;
}
const choose = async (name: string) => person.click(await screen.findByRole('option', { name }));

it('passes text, and null when it is deleted', async () => {
  const passed = renderInput(aCustomField({ type: 'text', label: 'Order', hint: 'As on the receipt' }));
  const input = screen.getByLabelText('Order');
  expect(input).toHaveAccessibleDescription('As on the receipt');
  await person.type(input, 'A1');
  await person.clear(input);
  expect(passed).toEqual(['A', 'A1', null]);
});

it('passes numbers, and says when the text is none', async () => {
  const field = aCustomField({ type: 'number', label: 'Seats' });
  const passed = renderInput(field);
  const input = screen.getByLabelText('Seats');
  await person.type(input, '1,250.50');
  expect(input).toHaveValue('1,250.50');
  expect(passed.at(-1)).toBe(1250.5);
  await person.clear(input);
  expect(passed.at(-1)).toBeNull();
  await person.type(input, 'many');
  await person.tab();
  expect(input).toHaveAccessibleDescription('Enter a number');
  expect(fieldInputProblem(field, passed.at(-1))).toBe('Enter a number');
});

it('passes a date', async () => {
  const passed = renderInput(aCustomField({ type: 'date', label: 'Delivered' }));
  await person.type(screen.getByLabelText('Delivered'), '2026-03-31');
  expect(passed.at(-1)).toBe('2026-03-31');
});

it('chooses yes, no, or nothing', async () => {
  const passed = renderInput(aCustomField({ type: 'yes_no', label: 'Damaged' }));
  const select = () => screen.getByRole('combobox', { name: 'Damaged' });
  for (const name of ['Yes', 'No', 'No value']) {
    await person.click(select());
    await choose(name);
  }
  expect(passed).toEqual([true, false, null]);
});

it('chooses one option, and keeps an option that was removed', async () => {
  const field = aCustomField({ type: 'choice', label: 'Product', options: plans });
  const passed = renderInput(field, 'legacy');
  expect(screen.getByRole('combobox', { name: 'Product' })).toHaveTextContent('legacy');
  expect(fieldInputProblem(field, 'legacy')).toBeUndefined();
  await person.click(screen.getByRole('combobox', { name: 'Product' }));
  await choose('Pro');
  expect(passed).toEqual(['pro']);
});

it('finds one of many options by keyboard', async () => {
  const passed = renderInput(aCustomField({ type: 'choice', label: 'Country', options: countries }));
  screen.getByRole('combobox', { name: 'Country' }).focus();
  await person.keyboard('{Enter}');
  const search = await screen.findByRole('combobox', { name: 'Search options' });
  await person.type(search, 'nowhere');
  expect(screen.getByText('No option matches')).toBeInTheDocument();
  await person.clear(search);
  await person.type(search, 'country 1');
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Country 1', 'Country 10', 'Country 11']);
  await person.keyboard('{ArrowDown}{Enter}');
  expect(passed).toEqual(['country_10']);
  expect(await screen.findByRole('combobox', { name: 'Country' })).toHaveTextContent('Country 10');
});

it('toggles several options, and clears them', async () => {
  const passed = renderInput(aCustomField({ type: 'choices', label: 'Parts', options: plans }), ['pro']);
  await person.click(screen.getByRole('combobox', { name: 'Parts' }));
  const list = within(await screen.findByRole('listbox', { name: 'Parts' }));
  await person.click(list.getByRole('option', { name: 'Basic' }));
  await person.click(list.getByRole('option', { name: 'Pro' }));
  await person.click(list.getByRole('option', { name: 'Clear selection' }));
  expect(passed).toEqual([['pro', 'basic'], ['basic'], null]);
});

it('drops removed options from a list that is changed', async () => {
  const passed = renderInput(aCustomField({ type: 'choices', label: 'Parts', options: plans }), ['legacy']);
  expect(screen.getByRole('combobox', { name: 'Parts' })).toHaveTextContent('legacy');
  await person.click(screen.getByRole('combobox', { name: 'Parts' }));
  await choose('Basic');
  expect(passed).toEqual([['basic']]);
});

it('has no accessibility violations', async () => {
  render(
    <>
      <FieldInput field={aCustomField({ type: 'text', label: 'Order' })} value="A1" onChange={() => undefined} problem="Enter text" />
      <FieldInput field={aCustomField({ type: 'yes_no', label: 'Damaged' })} value={true} onChange={() => undefined} />
      <FieldInput field={aCustomField({ type: 'choices', label: 'Parts', options: plans })} value={['pro']} onChange={() => undefined} />
    </>,
  );
  const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } });
  expect(violations).toEqual([]);
});

it.each([
  ['text', 'A1', 'A1'],
  ['number', 1250.5, '1,250.5'],
  ['date', '2026-03-31', 'Mar 31, 2026'],
  ['yes_no', false, 'No'],
  ['choice', 'pro', 'Pro'],
  ['choice', 'legacy', 'legacy'],
  ['choices', ['basic', 'legacy'], 'Basic, legacy'],
] as const)('shows a value of the type %s (%j) as %s', (type, value, text) => {
  expect(fieldValueText(aCustomField({ type, options: plans }), value as CustomFieldValue)).toBe(text);
});
