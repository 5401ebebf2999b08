import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lazy, useState, type ComponentType } from 'react';
import { EarlyKeys } from './early-keys';
import { useHotkeys } from './keyboard';

const ran: string[] = [];
beforeEach(() => ran.splice(0));

/** A part that is loaded when the test says so. */
function aLazyPart() {
  const { promise, resolve } = Promise.withResolvers<{ default: ComponentType<{ page: string }> }>();
  function Part({ page }: { page: string }) {
    useHotkeys({ h: () => ran.push(`${page} h`), m: () => ran.push(`${page} m`) });
    return <p>Part of {page}</p>;
  }
  return { Part: lazy(() => promise), load: () => resolve({ default: Part }) };
}

it('runs the last key that was pressed while the part was loading, once', async () => {
  const { Part, load } = aLazyPart();
  render(
    <EarlyKeys keys={['h', 'm']} fallback="Loading">
      <Part page="first" />
    </EarlyKeys>,
  );
  const person = userEvent.setup();
  await person.keyboard('hm');
  expect(screen.getByText('Loading')).toBeInTheDocument();
  load();
  await screen.findByText('Part of first');
  expect(ran).toEqual(['first m']);
});

it('ignores a key if the page has changed since it was pressed', async () => {
  const { Part, load } = aLazyPart();
  function Pages() {
    const [page, setPage] = useState('first');
    return (
      <>
        <button onClick={() => setPage('second')}>Next</button>
        <EarlyKeys key={page} keys={['h', 'm']}>
          <Part page={page} />
        </EarlyKeys>
      </>
    );
  }
  render(<Pages />);
  const person = userEvent.setup();
  await person.keyboard('h');
  await person.click(screen.getByRole('button'));
  load();
  await screen.findByText('Part of second');
  expect(ran).toEqual([]);
  await person.keyboard('m');
  expect(ran).toEqual(['second m']);
});
