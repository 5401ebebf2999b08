/** Unsent work and state of a user, which outlives the pages that show it. */
interface SessionWork {
  /** The user is about to sign out: finish now what can be finished. */
  finish?: () => void;
  /** The session has ended or another user has signed in: from now on show, send and store nothing of this work. */
  drop?: () => void;
}
const registered = new Set<SessionWork>();

/** Registers work that ends with the session. Stores register when they are created: `createStore` and `createExternalStore`. */
export const onSignOut = (work: SessionWork): void => void registered.add(work);
export const finishUnsentWork = (): void => registered.forEach(({ finish }) => finish?.());
/** Resets every store; `app/session-store.ts` calls it when a session ends. */
export function dropUnsentWork(): void {
  owner = undefined;
  registered.forEach(({ drop }) => drop?.());
}

let owner: string | undefined;
/** Drops the work of a previous user. Call it whenever a session becomes known, before the session is stored. */
export function claimUnsentWork(user_id: string): void {
  if (owner !== undefined && owner !== user_id) dropUnsentWork();
  owner = user_id;
}
