/** Unfinished work of a user that outlives its page, such as drafts or unsent messages. */
interface Begun {
  /** The user is about to sign out: finish now what can be finished. */
  finish: () => void;
  /** The session is over or another user has signed in: from now on show, send and store nothing of this work. */
  drop: () => void;
}
const begun = new Set<Begun>();

/** For modules that hold unfinished work; app/session-store.ts calls these hooks when a session ends. */
export const onSignOut = (each: Begun): void => void begun.add(each);
export const finishUnsentWork = (): void => begun.forEach(({ finish }) => finish());
export const dropUnsentWork = (): void => begun.forEach(({ drop }) => drop());
