/** Form values that a site can prefill. */
export interface Prefill {
  subject?: string;
  description?: string;
  email?: string;
  name?: string;
  /** Values of custom fields by their keys. They are sent even if the form does not ask for the field. */
  custom_fields?: Record<string, unknown>;
}

export type ToFrame =
  | { type: 'opened' }
  | { type: 'closed' }
  | { type: 'identify'; token: string | null }
  | { type: 'prefill'; values: Prefill };
export type FromFrame =
  | { type: 'ready' }
  | { type: 'close' }
  | { type: 'submitted'; ticket_number: string }
  | { type: 'unread'; count: number; label: string };

/** Marks our messages: a page receives messages from many windows. */
const mark = 'tandem';

export function postToWindow(target: Window | null | undefined, message: ToFrame | FromFrame, origin: string): void {
  // Pages with an opaque origin (a file, a sandbox) cannot be addressed, so nothing is sent to them.
  if (origin !== 'null') target?.postMessage({ [mark]: message }, origin);
}

/** The message, if both its window and its origin match: either alone could belong to someone else. */
export function readMessage<Message extends ToFrame | FromFrame>(
  event: MessageEvent,
  source: Window | null | undefined,
  origin: string,
): Message | undefined {
  if (!source || event.source !== source || event.origin !== origin) return undefined;
  const message: unknown = (event.data as Record<string, unknown> | null)?.[mark];
  return typeof message === 'object' && message !== null && 'type' in message ? (message as Message) : undefined;
}
