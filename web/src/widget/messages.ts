/** What a site may put into the form before its visitor does. */
export interface Prefill {
  subject?: string;
  description?: string;
  email?: string;
  name?: string;
}

export type ToFrame =
  { type: 'opened' } | { type: 'closed' } | { type: 'identify'; token: string | null } | { type: 'prefill'; values: Prefill };
export type FromFrame =
  { type: 'ready' } | { type: 'close' } | { type: 'submitted'; ticket_number: string } | { type: 'unread'; count: number };

/** A page hears from many windows: ours are told apart by this member. */
const mark = 'tandem';

export function tell(target: Window | null | undefined, message: ToFrame | FromFrame, origin: string): void {
  // Pages without an origin (a file, a sandbox) cannot be named, and are not spoken to.
  if (origin !== 'null') target?.postMessage({ [mark]: message }, origin);
}

/** The message, if it comes from exactly this window of exactly this origin: either alone could be somebody else's. */
export function heard<Message extends ToFrame | FromFrame>(
  event: MessageEvent,
  source: Window | null | undefined,
  origin: string,
): Message | undefined {
  if (!source || event.source !== source || event.origin !== origin) return undefined;
  const message: unknown = (event.data as Record<string, unknown> | null)?.[mark];
  return typeof message === 'object' && message !== null && 'type' in message ? (message as Message) : undefined;
}
