import { fireEvent, render, screen } from '@testing-library/react';
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

describe('after the key of a text box', () => {
  /** A page with a search and shortcuts, and its reply, which is loaded when the test says so. */
  async function pressReplyKey() {
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
        <>
          <input aria-label="Search" />
          <button onClick={() => ran.push('clicked')}>Next</button>
          <EarlyKeys keys={['r']} isText fallback="Loading">
            <LazyReply />
          </EarlyKeys>
        </>
      );
    }
    render(<Page />);
    const person = userEvent.setup();
    await person.keyboard('r');
    const load = () => {
      resolve({ default: Reply });
      return screen.findByRole('textbox', { name: 'Reply' });
    };
    return { person, load };
  }

  it('inserts the text that was typed, and runs no shortcut for it', async () => {
    const { person, load } = await pressReplyKey();
    await person.keyboard('me{Backspace}e too');
    const box = await load();
    expect(box).toHaveFocus();
    expect(box).toHaveValue('Draft. me too');
    expect(ran).toEqual([]);
  });

  it('inserts characters that AltGr types, which is Ctrl with Alt on Windows', async () => {
    const { load } = await pressReplyKey();
    fireEvent.keyDown(document.body, { key: '@', ctrlKey: true, altKey: true, modifierAltGraph: true });
    expect(await load()).toHaveValue('Draft. @');
  });

  it.each([{ key: 'F5' }, { key: 'PageDown' }, { key: 'ArrowDown' }, { key: 'c', ctrlKey: true }])(
    'leaves %j to the browser',
    async (key) => {
      const { load } = await pressReplyKey();
      expect(fireEvent.keyDown(document.body, key)).toBe(true);
      expect(await load()).toHaveValue('Draft. ');
    },
  );

  it('leaves text to the field in which it is typed, and does not move the focus any more', async () => {
    const { person, load } = await pressReplyKey();
    const search = screen.getByRole('textbox', { name: 'Search' });
    await person.type(search, 'lamp');
    expect(search).toHaveValue('lamp');
    expect(await load()).toHaveValue('Draft. ');
    expect(search).toHaveFocus();
  });

  it('leaves Enter to a button that Tab has focused', async () => {
    const { person, load } = await pressReplyKey();
    await person.tab();
    await person.tab();
    await person.keyboard('{Enter}');
    expect(ran).toEqual(['clicked']);
    expect(await load()).toHaveValue('Draft. ');
  });

  it('ends with Escape', async () => {
    const { person, load } = await pressReplyKey();
    await person.keyboard('lost{Escape}');
    const box = await load();
    expect(box).toHaveValue('Draft. ');
    expect(box).not.toHaveFocus();
  });
});
