import { lazy, Suspense, useState } from 'react';

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The consequences of the action. */
  description: string;
  /** Label of the confirming button, naming the action. */
  action: string;
  onConfirm: () => void;
  /** Label of the button that changes nothing; set it where 'Cancel' would be ambiguous. */
  keep?: string;
  busy?: boolean;
}

const ConfirmPopup = lazy(() => import('./ConfirmPopup').then((module) => ({ default: module.ConfirmPopup })));

/** Asks for confirmation before an action that is hard to undo. Its code is loaded when it first opens. */
export function ConfirmDialog(props: ConfirmDialogProps) {
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
