import { createExternalStore } from './external-store';

const clock = createExternalStore(Date.now, () => {
  // The clock does not run without subscribers.
  clock.set(Date.now());
  const timer = setInterval(() => clock.set(Date.now()), 30_000);
  return () => clearInterval(timer);
});

/** The current time, updated every 30 s: one shared clock for all relative times on the page. */
export const useNow = (): number => clock.use();
