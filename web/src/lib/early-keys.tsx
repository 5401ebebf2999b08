import { Suspense, useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { isKeyTaken, runAction, useHotkeys } from './keyboard';

/** The last key of the part, and the text that was typed after it. */
type Pressed = RefObject<{ key: string; text: string } | undefined>;

function Listen({ keys, pressedRef }: { keys: readonly string[]; pressedRef: Pressed }): null {
  useHotkeys(Object.fromEntries(keys.map((key) => [key, () => void (pressedRef.current = { key, text: '' })])));
  return null;
}

/** AltGr, which types characters like @, is Ctrl with Alt on Windows. */
const isShortcut = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');

/** The text after a key, or undefined if the key is not for a text: F5, PageDown. */
function textAfter(text: string, { key }: KeyboardEvent): string | undefined {
  if (key === 'Backspace') return text.slice(0, -1);
  if (key === 'Enter') return `${text}\n`;
  return key.length === 1 ? text + key : undefined;
}

/**
 * After a key of a text box, the following keys are its text. Otherwise the page would treat them as its own shortcuts. This ends with
 * Escape, and once the user types elsewhere.
 */
function ListenToText({ pressedRef }: { pressedRef: Pressed }): null {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const pressed = pressedRef.current;
      if (!pressed || isShortcut(event)) return;
      const isElsewhere = event.key === 'Tab' || isKeyTaken(event);
      if (isElsewhere || event.key === 'Escape') pressedRef.current = undefined;
      if (isElsewhere) return;
      const text = textAfter(pressed.text, event);
      if (text === undefined && event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      pressed.text = text ?? '';
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [pressedRef]);
  return null;
}

/** Inserts text into the focused text box, as if it were typed. */
function insertText(text: string): void {
  const box = document.activeElement;
  if (text === '' || !(box instanceof HTMLTextAreaElement)) return;
  box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end');
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** Rendered after the part, so that its effect runs once the part has bound its keys. */
function RunPressed({ pressedRef }: { pressedRef: Pressed }): null {
  useEffect(() => {
    const pressed = pressedRef.current;
    pressedRef.current = undefined;
    if (!pressed) return;
    runAction(pressed.key);
    insertText(pressed.text);
  }, [pressedRef]);
  return null;
}

interface EarlyKeysProps {
  /** Keys of the part. */
  keys: readonly string[];
  /** Whether the keys focus a text box, into which the user then types. */
  isText?: boolean;
  /** Shown while the part is loading. */
  fallback?: ReactNode;
  /** The lazily loaded part. */
  children: ReactNode;
}

/**
 * A lazily loaded part that has keys: the last one pressed while the part was loading runs as soon as it is rendered, but never on another
 * page. The parent gives it the `key` of its page if it can show several pages.
 */
export function EarlyKeys({ keys, isText = false, fallback, children }: EarlyKeysProps) {
  const pressedRef: Pressed = useRef(undefined);
  return (
    <Suspense
      fallback={
        <>
          {fallback}
          <Listen keys={keys} pressedRef={pressedRef} />
          {isText && <ListenToText pressedRef={pressedRef} />}
        </>
      }
    >
      {children}
      <RunPressed pressedRef={pressedRef} />
    </Suspense>
  );
}
