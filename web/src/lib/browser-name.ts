import type * as BowserModule from 'bowser';
import { useEffect, useState } from 'react';

type Bowser = (typeof BowserModule)['default'];

/** Readable name of a browser, from its user agent. The parser is loaded when the list of devices is opened. */
export function browserName(bowser: Bowser, userAgent: string | null): string {
  if (!userAgent) return 'Unknown device';
  const { browser, os } = bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(' on ') || 'Unknown device';
}

/** Undefined until the parser is loaded; if loading fails, every device is 'Unknown device'. */
export function useBrowserName(): ((userAgent: string | null) => string) | undefined {
  const [name, setName] = useState<(userAgent: string | null) => string>();
  useEffect(() => {
    let gone = false;
    const use = (next: (userAgent: string | null) => string) => gone || setName(() => next);
    import('bowser').then(
      ({ default: bowser }) => use((userAgent) => browserName(bowser, userAgent)),
      () => use(() => 'Unknown device'),
    );
    return () => {
      gone = true;
    };
  }, []);
  return name;
}
