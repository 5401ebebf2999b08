import { useSyncExternalStore } from 'react';
import type * as SonnerModule from 'sonner';
import { messageOf } from './problem';

type Sonner = typeof SonnerModule;
let sonner: Promise<Sonner> | undefined;
export const loadToasts = () => (sonner ??= import('sonner'));

let asked = false;
const listeners = new Set<() => void>();
let toastsAreThere: () => void;
const there = new Promise<void>((resolve) => (toastsAreThere = resolve));

/** Brings the toasts' place onto the page when one comes before the page had time for it; a toast without a place would be lost. */
async function toaster(): Promise<Sonner['toast']> {
  asked = true;
  for (const listener of listeners) listener();
  const { toast } = await loadToasts();
  await there;
  return toast;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** For ui/Toast.tsx: whether a toast waits for its place, and the word that the place is there. */
export const useToastsAsked = (): boolean => useSyncExternalStore(subscribe, () => asked);
export const toastsMounted = (): void => toastsAreThere();

/** The errors that each page has shown. */
const errors = new Map<string, (string | number)[]>();

/** Toasts, spoken politely by screen readers. Their code is not part of the first screen. */
export const notify = {
  success: (title: string, description?: string): void => {
    const place = location.pathname;
    void toaster().then((toast) => {
      // What failed on this page has succeeded now: its error would contradict it.
      for (const id of errors.get(place) ?? []) toast.dismiss(id);
      errors.delete(place);
      toast.success(title, { description, duration: 3_000 });
    });
  },
  info: (title: string, description?: string): void => {
    void toaster().then((toast) => toast.info(title, { description, duration: 7_000 }));
  },
  /** Spec part 2, section 8: the title is 'Error' unless stated. */
  error: (message: string, title = 'Error'): void => {
    const place = location.pathname;
    void toaster().then((toast) => {
      const id = toast.error(title, { description: message, duration: 7_000 });
      errors.set(place, [...(errors.get(place) ?? []), id]);
    });
  },
  /** The screen's own sentence, and beside it what the server said where that helps (a refused input, a wait). */
  problem: (error: unknown, sentence: string): void => {
    const said = messageOf(error, '');
    notify.error(said && said !== sentence ? `${sentence.replace(/[.!?]$/, '')}. ${said}` : sentence);
  },
};
