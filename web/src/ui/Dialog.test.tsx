import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { Menu } from './Menu';

function Page() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Menu trigger={<Button>Actions</Button>} entries={[{ label: 'Rename', onSelect: () => setIsOpen(true) }]} />
      <Button onClick={() => setIsOpen(true)}>Rename directly</Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="Rename the view" />
    </>
  );
}
const actions = () => screen.getByRole('button', { name: 'Actions' });

/** More than once: the first time the menu's code is still being loaded. */
it.each(['mouse', 'keyboard'])('returns the focus to the trigger of the menu that opened it by %s', async (by) => {
  render(<Page />);
  const person = userEvent.setup();
  for (let times = 0; times < 2; times += 1) {
    if (by === 'mouse') {
      await person.click(actions());
      await person.click(await screen.findByRole('menuitem', { name: 'Rename' }));
    } else {
      act(() => actions().focus());
      await person.keyboard('{Enter}');
      const rename = await screen.findByRole('menuitem', { name: 'Rename' });
      act(() => rename.focus());
      await person.keyboard('{Enter}');
    }
    await screen.findByRole('dialog', { name: 'Rename the view' });
    await waitFor(() => expect(screen.queryByRole('menu')).not.toBeInTheDocument());
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(actions()).toHaveFocus());
  }
});

it('returns the focus to the button that opened it', async () => {
  render(<Page />);
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Rename directly' }));
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Rename directly' })).toHaveFocus());
});

it.each([
  ['a text field at its beginning', <input key="1" aria-label="Name" />, 'Name'],
  ['no field', <p key="2">Deleted views cannot be restored.</p>, 'Close'],
  ['a button before the field', [<button key="3">Generate</button>, <input key="4" aria-label="Name" />], 'Close'],
])('focuses the right control with %s', async (_content, content, focused) => {
  render(
    <Dialog open onOpenChange={() => undefined} title="Rename the view">
      {content}
    </Dialog>,
  );
  await waitFor(() => expect(document.activeElement).toHaveAccessibleName(focused));
});
