import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { movedTo, OptionList } from './OptionList';

const options = ['low', 'medium', 'high'].map((value) => ({ value }));

function List() {
  const [at, setAt] = useState(0);
  return (
    <OptionList
      id="list"
      label="Priority"
      options={options}
      at={at}
      isChosen={() => false}
      onPoint={setAt}
      onPick={() => undefined}
      tabIndex={0}
      aria-activedescendant={`list-${at}`}
      onKeyDown={({ key }) => setAt(movedTo(key, at, options.length) ?? at)}
    >
      {({ value }) => value}
    </OptionList>
  );
}

afterEach(() => jest.restoreAllMocks());

it('scrolls to the option that a key moves to, but not to one that the pointer reaches', async () => {
  const scrolledTo: (string | null)[] = [];
  jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolledTo.push(this.textContent);
  });
  render(<List />);
  const list = screen.getByRole('listbox');
  scrolledTo.splice(0);
  fireEvent.pointerMove(screen.getByRole('option', { name: 'medium' }));
  expect(list).toHaveAttribute('aria-activedescendant', 'list-1');
  fireEvent.pointerMove(screen.getByRole('option', { name: 'medium' }));
  expect(scrolledTo).toEqual([]);
  list.focus();
  await userEvent.setup().keyboard('{ArrowDown}{ArrowUp}');
  expect(scrolledTo).toEqual(['high', 'medium']);
});
