import { customFieldKey, customFieldLimits, type CustomFieldValue, type CustomFieldValues } from '@tandem/contracts/values';
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

/** The texts of the form. */
export type TextPrefill = Omit<Prefill, 'custom_fields'>;
const limits: Required<Record<keyof TextPrefill, number>> = { subject: 255, description: 10_000, email: 254, name: 200 };

/** Accepts only known names with string values: the embedding site's code is not trusted. */
export function checkedPrefill(values: unknown): TextPrefill {
  const checked: TextPrefill = {};
  for (const name of Object.keys(limits) as (keyof TextPrefill)[]) {
    const value = (values as Record<string, unknown> | null)?.[name];
    if (typeof value === 'string') checked[name] = value.slice(0, limits[name]);
  }
  return checked;
}

const isValue = (value: unknown): value is CustomFieldValue =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (Array.isArray(value) && value.every((each) => typeof each === 'string'));

/** Accepts only values that a field can have, by valid keys. The server checks whether the organization has such a field. */
export function checkedFields(values: unknown): CustomFieldValues {
  const entries = typeof values === 'object' && values !== null ? Object.entries(values) : [];
  const checked = entries.filter(
    (entry): entry is [string, CustomFieldValue] =>
      customFieldKey.test(entry[0]) && entry[0].length <= customFieldLimits.key && isValue(entry[1]),
  );
  return Object.fromEntries(
    checked
      .slice(0, customFieldLimits.fields)
      .map(([key, value]) => [key, typeof value === 'string' ? value.slice(0, customFieldLimits.longText) : value]),
  );
}
