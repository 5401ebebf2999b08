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

/** Reports a change in a toast with Undo. The offer ends with the toast. */
export function offerUndo(title: string, description: string, undo: () => void): void {
  const offer: Offer = { undo, dismiss: () => undefined };
  offers.add(offer);
  offer.dismiss = notify.undoable(title, description, { onUndo: () => run(offer), onClose: () => offers.delete(offer) });
}

/** For the key `z`: reverts the latest change that can still be undone, from any page. */
export function undoLast(): void {
  const last = [...offers].at(-1);
  if (last) run(last);
}
