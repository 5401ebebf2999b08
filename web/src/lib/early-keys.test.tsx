import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lazy, useRef, useState, type ComponentType } from 'react';
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

it('inserts the text that was typed after the key of a text box, and runs no shortcut for it', async () => {
  const { promise, resolve } = Promise.withResolvers<{ default: ComponentType }>();
  function Reply() {
    const box = useRef<HTMLTextAreaElement>(null);
    const [text, setText] = useState('Draft. ');
    useHotkeys({
      r: () => {
        box.current?.focus();
        box.current?.setSelectionRange(text.length, text.length);
      },
    });
    return <textarea ref={box} aria-label="Reply" value={text} onChange={({ target }) => setText(target.value)} />;
  }
  const LazyReply = lazy(() => promise);
  function Page() {
    useHotkeys({ e: () => ran.push('resolved'), m: () => ran.push('merged') });
    return (
      <EarlyKeys keys={['r']} isText fallback="Loading">
        <LazyReply />
      </EarlyKeys>
    );
  }
  render(<Page />);
  const person = userEvent.setup();
  await person.keyboard('rme{Backspace}e too');
  resolve({ default: Reply });
  const box = await screen.findByRole('textbox', { name: 'Reply' });
  expect(box).toHaveFocus();
  expect(box).toHaveValue('Draft. me too');
  expect(ran).toEqual([]);
});
