import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import { NativeSelect } from './NativeSelect';

let showPicker: jest.Mock;
beforeEach(() => {
  showPicker = jest.fn();
  render(
    <NativeSelect aria-label="Priority" defaultValue="medium">
      <option value="medium">Medium</option>
      <option value="urgent">Urgent</option>
    </NativeSelect>,
  );
  Object.assign(screen.getByRole('combobox'), { showPicker });
});
/** Whether the browser's default action for the key still applies: on a closed select a letter chooses an option. */
function press(key: string, modifiers: object = {}): boolean {
  const event = createEvent.keyDown(screen.getByRole('combobox'), { key, ...modifiers });
  fireEvent(screen.getByRole('combobox'), event);
  return !event.defaultPrevented;
}

it.each(['u', 'U', '1', 'é', '/'])('opens its list on %j instead of choosing an option', (key) => {
  expect(press(key)).toBe(false);
  expect(showPicker).toHaveBeenCalledTimes(1);
});

it.each(['Tab', 'ArrowDown', 'Enter', 'Escape', ' '])('leaves %j to the browser', (key) => {
  expect(press(key)).toBe(true);
  expect(showPicker).not.toHaveBeenCalled();
});

it.each(['ctrlKey', 'metaKey', 'altKey'])('leaves shortcuts with %s to the browser', (modifier) => {
  expect(press('u', { [modifier]: true })).toBe(true);
  expect(showPicker).not.toHaveBeenCalled();
});

it('keeps its value on a letter in a browser that cannot open the list', () => {
  Object.assign(screen.getByRole('combobox'), { showPicker: undefined });
  expect(press('u')).toBe(false);
});
