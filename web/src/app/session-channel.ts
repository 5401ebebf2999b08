import type { Session } from '@tandem/contracts';
import type { EndReason } from './session-end';

/** Messages between tabs: they share the session cookies, but not the session data in memory. */
export type SessionMessage = { type: 'session'; session: Session } | { type: 'ended'; reason: EndReason };

/** Without BroadcastChannel (a very old browser) each tab notices the change with its next request. */
const openChannel = () => (typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('tandem-session'));

export function listenToTabs(onMessage: (message: SessionMessage) => void): () => void {
  const channel = openChannel();
  if (channel) channel.onmessage = ({ data }: MessageEvent<SessionMessage>) => onMessage(data);
  return () => channel?.close();
}

/** The sending tab receives the message, too. */
export function postToTabs(message: SessionMessage): void {
  const channel = openChannel();
  channel?.postMessage(message);
  channel?.close();
}
