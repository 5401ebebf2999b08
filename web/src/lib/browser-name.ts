import type * as BowserModule from 'bowser';
import { useEffect, useState } from 'react';
import { t } from './staff-texts';

type Bowser = (typeof BowserModule)['default'];

/** Readable name of a browser, from its user agent. The parser is loaded when the list of devices is opened. */
export function browserName(bowser: Bowser, userAgent: string | null): string {
  if (!userAgent) return t('lib.unknown_device');
  const { browser, os } = bowser.parse(userAgent);
  if (browser.name && os.name) return t('lib.browser_on_system', { browser: browser.name, system: os.name });
  return browser.name || os.name || t('lib.unknown_device');
}

/** Undefined until the parser is loaded; if loading fails, every device is 'Unknown device'. */
export function useBrowserName(): ((userAgent: string | null) => string) | undefined {
  const [name, setName] = useState<(userAgent: string | null) => string>();
  useEffect(() => {
    let gone = false;
    const use = (next: (userAgent: string | null) => string) => gone || setName(() => next);
    import('bowser').then(
      ({ default: bowser }) => use((userAgent) => browserName(bowser, userAgent)),
      () => use(() => t('lib.unknown_device')),
    );
    return () => {
      gone = true;
    };
  }, []);
  return name;
}
