import { lazy, Suspense, useState } from 'react';
import type { ConfirmPopupProps } from './ConfirmPopup';

const ConfirmPopup = lazy(() => import('./ConfirmPopup').then((module) => ({ default: module.ConfirmPopup })));

/** Asks for confirmation before an action that is hard to undo. Its code is loaded when it first opens. */
export function ConfirmDialog(props: ConfirmPopupProps) {
  // Once opened it stays mounted, so that its closing animation can run.
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmPopup {...props} />
    </Suspense>
  );
}
