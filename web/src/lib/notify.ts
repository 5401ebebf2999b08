import { undoSeconds } from '@tandem/contracts/values';
import type * as SonnerModule from 'sonner';
import { createExternalStore } from './external-store';
import { messageOf } from './problem';
import { t } from './staff-texts';
import { uiText } from './ui-texts';

type Sonner = typeof SonnerModule;
let sonner: Promise<Sonner> | undefined;
export const loadToasts = () => (sonner ??= import('sonner'));

let isWanted = false;
/** Whether a toast waits for the toaster. Not a user's state: it stays true after sign-out. */
const wanted = createExternalStore(() => isWanted);
let resolveMounted: () => void;
const toasterMounted = new Promise<void>((resolve) => (resolveMounted = resolve));

/** Mounts the toaster early if a toast comes before it: a toast without a mounted toaster would be lost. */
async function toaster(): Promise<Sonner['toast']> {
  isWanted = true;
  wanted.set(true);
  const { toast } = await loadToasts();
  await toasterMounted;
  return toast;
}

/** For ui/Toast.tsx: whether a toast waits for the toaster, and the callback for when the toaster is mounted. */
export const useToastsAsked = (): boolean => wanted.use();
export const toastsMounted = (): void => resolveMounted();

/** Ids of the error toasts shown on each page. */
const errors = new Map<string, (string | number)[]>();

/** Dismisses the errors of a page whose failed action has now succeeded: they would contradict it. */
function dismissErrors(toast: Sonner['toast'], place: string): void {
  for (const id of errors.get(place) ?? []) toast.dismiss(id);
  errors.delete(place);
}

interface UndoHandlers {
  onUndo: () => void;
  /** The toast was removed: it timed out, or the user dismissed it. */
  onClose: () => void;
}

/** Toasts, announced politely by screen readers. Their code is not part of the first screen. */
export const notify = {
  success: (title: string, description?: string): void => {
    const place = location.pathname;
    void toaster().then((toast) => {
      dismissErrors(toast, place);
      toast.success(title, { description, duration: 3_000 });
    });
  },
  /** With an Undo button (`offerUndo` in undo.ts, which also handles its key). Returns the function that removes the toast. */
  undoable: (title: string, description: string, { onUndo, onClose }: UndoHandlers): (() => void) => {
    const place = location.pathname;
    const shown = toaster().then((toast) => {
      dismissErrors(toast, place);
      const action = { label: t('lib.undo'), onClick: onUndo };
      const id = toast.success(title, { description, duration: undoSeconds * 1_000, action, onAutoClose: onClose, onDismiss: onClose });
      return () => void toast.dismiss(id);
    });
    return () => void shown.then((dismiss) => dismiss());
  },
  info: (title: string, description?: string): void => {
    void toaster().then((toast) => toast.info(title, { description, duration: 7_000 }));
  },
  /** The default title is 'Error'. */
  error: (message: string, title = uiText('error')): void => {
    const place = location.pathname;
    void toaster().then((toast) => {
      const id = toast.error(title, { description: message, duration: 7_000 });
      errors.set(place, [...(errors.get(place) ?? []), id]);
    });
  },
  /** The screen's own message, followed by the server's where that adds something (a refused input, a waiting time). */
  problem: (error: unknown, sentence: string): void => {
    const message = messageOf(error, '');
    notify.error(message && message !== sentence ? `${sentence.replace(/[.!?]$/, '')}. ${message}` : sentence);
  },
};
