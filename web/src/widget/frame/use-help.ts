import { useEffect, useState } from 'preact/hooks';
import type * as Help from './help';

/** The code for articles, which most visitors do not need. Undefined until it is wanted and loaded; without it the form works all the same. */
export function useHelp(isWanted: boolean): typeof Help | undefined {
  const [help, setHelp] = useState<typeof Help>();
  useEffect(() => {
    if (isWanted) import('./help').then(setHelp, () => undefined);
  }, [isWanted]);
  return help;
}
