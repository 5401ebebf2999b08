import { readMessage, postToWindow, type FromFrame, type Prefill, type ToFrame } from '../messages';

export interface HostPage {
  send: (message: FromFrame) => void;
  listen: (listener: (message: ToFrame) => void) => () => void;
}

/** Messaging with the site that embeds the frame. Opened directly, the page works without it. */
export function hostPage(origin: string | undefined): HostPage {
  const parent = window.parent === window ? undefined : window.parent;
  return {
    send: (message) => {
      if (origin) postToWindow(parent, message, origin);
    },
    listen: (listener) => {
      const onMessage = (event: MessageEvent) => {
        const message = origin && readMessage<ToFrame>(event, parent, origin);
        if (message) listener(message);
      };
      addEventListener('message', onMessage);
      return () => removeEventListener('message', onMessage);
    },
  };
}

const limits: Required<Record<keyof Prefill, number>> = { subject: 255, description: 10_000, email: 254, name: 200 };

/** Accepts only known names with string values: the embedding site's code is not trusted. */
export function checkedPrefill(values: unknown): Prefill {
  const checked: Prefill = {};
  for (const name of Object.keys(limits) as (keyof Prefill)[]) {
    const value = (values as Record<string, unknown> | null)?.[name];
    if (typeof value === 'string') checked[name] = value.slice(0, limits[name]);
  }
  return checked;
}
