import { heard, tell, type FromFrame, type Prefill, type ToFrame } from '../messages';

export interface HostPage {
  say: (message: FromFrame) => void;
  listen: (listener: (message: ToFrame) => void) => () => void;
}

/** The site around the frame. Without one the page works by itself. */
export function hostPage(origin: string | undefined): HostPage {
  const parent = window.parent === window ? undefined : window.parent;
  return {
    say: (message) => {
      if (origin) tell(parent, message, origin);
    },
    listen: (listener) => {
      const onMessage = (event: MessageEvent) => {
        const message = origin && heard<ToFrame>(event, parent, origin);
        if (message) listener(message);
      };
      addEventListener('message', onMessage);
      return () => removeEventListener('message', onMessage);
    },
  };
}

const limits: Required<Record<keyof Prefill, number>> = { subject: 255, description: 10_000, email: 254, name: 200 };

/** Texts of the known names, and nothing else: the site's code is not ours. */
export function checkedPrefill(values: unknown): Prefill {
  const checked: Prefill = {};
  for (const name of Object.keys(limits) as (keyof Prefill)[]) {
    const value = (values as Record<string, unknown> | null)?.[name];
    if (typeof value === 'string') checked[name] = value.slice(0, limits[name]);
  }
  return checked;
}
