import type { EndedBy } from './session-clock';

/** `ended`: the server no longer knew the session; another device ended it, or this one was away for too long. */
export type EndReason = EndedBy | 'signed_out' | 'ended';

interface SessionEnd {
  reason: EndReason;
  /** Where the person was, to come back to. */
  from?: string;
}
let end: SessionEnd | undefined;

/** Why nobody is signed in any more, for the sign-in page. The first reason is the true one: what follows from it is none. */
export const noteSessionEnd = (next: SessionEnd): void => void (end ??= next);
export const sessionEnd = (): SessionEnd | undefined => end;
export const forgetSessionEnd = (): void => void (end = undefined);

/** Over by the clock: nobody is let in again by a session that the server has not ended yet. */
export const endedByClock = (): boolean => end?.reason === 'idle' || end?.reason === 'absolute';
