/** Something that a person has begun and that outlives its page. */
interface Begun {
  /** The person is about to sign out: what can still be finished, now. */
  finish: () => void;
  /** Nobody, or somebody else, is signed in: nothing of it may be seen, sent or stored from here on. */
  drop: () => void;
}
const begun = new Set<Begun>();

/** For modules that keep what a person has begun; app/session-store.ts says when a session ends. */
export const onParting = (each: Begun): void => void begun.add(each);
export const finishAll = (): void => begun.forEach(({ finish }) => finish());
export const dropAll = (): void => begun.forEach(({ drop }) => drop());
