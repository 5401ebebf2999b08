import { useEffect, useRef } from 'react';
import { runAction, useHotkeys } from './keyboard';

/** In place of a part that is still loading: the last of its keys that was pressed runs as soon as the part is there. */
export function EarlyKeys({ keys }: { keys: readonly string[] }): null {
  const pressed = useRef<string>(undefined);
  useHotkeys(Object.fromEntries(keys.map((key) => [key, () => void (pressed.current = key)])));
  useEffect(
    () => () => {
      const key = pressed.current;
      // After the effects of the part, which bind its keys.
      if (key !== undefined) setTimeout(() => runAction(key));
    },
    [],
  );
  return null;
}
