import { lazy, Suspense, useState } from 'react';

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen. */
  description: string;
  /** The button that does it says what it does. */
  action: string;
  onConfirm: () => void;
  /** The button that leaves everything as it is; named where 'Cancel' could mean either. */
  keep?: string;
  busy?: boolean;
}

const ConfirmPopup = lazy(() => import('./ConfirmPopup').then((module) => ({ default: module.ConfirmPopup })));

/** Asks once more before something that cannot simply be taken back. Until then its code is not part of the page. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  // Once asked it stays, so that it can close as it opened.
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmPopup {...props} />
    </Suspense>
  );
}
