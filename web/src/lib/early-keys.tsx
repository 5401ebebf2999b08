import { Suspense, useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { runAction, useHotkeys } from './keyboard';

type Pressed = RefObject<string | undefined>;

function Listen({ keys, pressedRef }: { keys: readonly string[]; pressedRef: Pressed }): null {
  useHotkeys(Object.fromEntries(keys.map((key) => [key, () => void (pressedRef.current = key)])));
  return null;
}

/** Rendered after the part, so that its effect runs once the part has bound its keys. */
function RunPressed({ pressedRef }: { pressedRef: Pressed }): null {
  useEffect(() => {
    if (pressedRef.current !== undefined) runAction(pressedRef.current);
    pressedRef.current = undefined;
  }, [pressedRef]);
  return null;
}

interface EarlyKeysProps {
  /** Keys of the part. */
  keys: readonly string[];
  /** Shown while the part is loading. */
  fallback?: ReactNode;
  /** The lazily loaded part. */
  children: ReactNode;
}

/**
 * A lazily loaded part that has keys: the last one pressed while the part was loading runs as soon as it is rendered, but never on another
 * page. The parent gives it the `key` of its page if it can show several pages.
 */
export function EarlyKeys({ keys, fallback, children }: EarlyKeysProps) {
  const pressedRef = useRef<string>(undefined);
  return (
    <Suspense
      fallback={
        <>
          {fallback}
          <Listen keys={keys} pressedRef={pressedRef} />
        </>
      }
    >
      {children}
      <RunPressed pressedRef={pressedRef} />
    </Suspense>
  );
}
