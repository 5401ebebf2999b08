import { undoSeconds } from '@tandem/contracts/values';
import { notify } from './notify';
import { onSignOut } from './session-cleanup';

interface Offer {
  undo: () => void;
  /** Removes the toast. */
  dismiss: () => void;
}

/** The changes whose toasts are on screen, the latest last. */
const offers = new Set<Offer>();
onSignOut({
  drop: () => {
    for (const { dismiss } of offers) dismiss();
    offers.clear();
  },
});

function run(offer: Offer): void {
  if (!offers.delete(offer)) return;
  offer.dismiss();
  offer.undo();
}

/** Reports a change in a toast with Undo. The offer ends with the toast; `onExpired` runs if the user has not taken it by then. */
export function offerUndo(title: string, description: string, undo: () => void, onExpired?: () => void): void {
  const offer: Offer = { undo, dismiss: () => undefined };
  offers.add(offer);
  offer.dismiss = notify.undoable(title, description, {
    onUndo: () => run(offer),
    // Also called after Undo, which has already removed the offer.
    onClose: () => offers.delete(offer) && onExpired?.(),
  });
}

/** The change that is being saved. Its offer comes with the response. */
let saving: Promise<void> | undefined;

/** Call this before a change is sent, and the returned function after the change has been reported. In between, `z` waits. */
export function beginChange(): () => void {
  let end: () => void;
  const change = new Promise<void>((resolve) => (end = resolve));
  saving = change;
  return () => {
    end();
    if (saving === change) saving = undefined;
  };
}

function runLast(): void {
  const last = [...offers].at(-1);
  if (last) run(last);
}

/**
 * For the key `z`: reverts the latest change that can still be undone, from any page. A change that is still being saved is the latest
 * one; the change before it is not what the user means.
 */
export function undoLast(): void {
  if (!saving) return runLast();
  const pressedAt = Date.now();
  // Without a connection, saving may take hours.
  void saving.then(() => Date.now() - pressedAt < undoSeconds * 1_000 && runLast());
}
