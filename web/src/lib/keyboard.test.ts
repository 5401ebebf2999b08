import { fireEvent, renderHook } from '@testing-library/react';
import { isStepping, useHotkeys, whenStepReleased } from './keyboard';

const press = (key: string) => fireEvent.keyDown(document.body, { key });

it.each([
  ['the key', () => fireEvent.keyUp(document.body, { key: 'j' })],
  ['the key together with Shift, when it is a capital letter', () => fireEvent.keyUp(document.body, { key: 'J', shiftKey: true })],
  ['the window, in which the key may be released later', () => fireEvent.blur(window)],
])('steps end with the release of %s', (_name, release) => {
  const step = jest.fn();
  const released = jest.fn();
  renderHook(() => useHotkeys({ j: step }));
  press('j');
  expect(step).toHaveBeenCalledTimes(1);
  expect(isStepping()).toBe(true);
  whenStepReleased(released);
  expect(released).not.toHaveBeenCalled();
  release();
  expect(isStepping()).toBe(false);
  expect(released).toHaveBeenCalledTimes(1);
});
