import type { EndedBy } from './session-clock';

/** `ended`: the server no longer knew the session, because another device ended it or this one was inactive for too long. */
export type EndReason = EndedBy | 'signed_out' | 'ended';

interface SessionEnd {
  reason: EndReason;
  /** The page that was open, to return to after sign-in. */
  from?: string;
}
let end: SessionEnd | undefined;

/** Why the session ended, for the sign-in page. Only the first reason is kept: later ones are consequences of it. */
export const recordSessionEnd = (next: SessionEnd): void => void (end ??= next);
export const sessionEnd = (): SessionEnd | undefined => end;
export const clearSessionEnd = (): void => void (end = undefined);

/** The session timed out: do not sign the user in again with a session that the server has not ended yet. */
export const endedByClock = (): boolean => end?.reason === 'idle' || end?.reason === 'absolute';
