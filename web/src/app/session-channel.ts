import type { Session } from '@tandem/contracts';
import type { EndReason } from './session-end';

/** What one tab tells the others: they share the session's cookies, but not what they know of it. */
export type SessionMessage = { type: 'session'; session: Session } | { type: 'ended'; reason: EndReason };

/** Without it (a very old browser) each tab finds out by itself, with its next call. */
const openChannel = () => (typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('tandem-session'));

export function listenToTabs(onMessage: (message: SessionMessage) => void): () => void {
  const channel = openChannel();
  if (channel) channel.onmessage = ({ data }: MessageEvent<SessionMessage>) => onMessage(data);
  return () => channel?.close();
}

/** Its own tab hears it, too. */
export function tellTabs(message: SessionMessage): void {
  const channel = openChannel();
  channel?.postMessage(message);
  channel?.close();
}
