import { Button } from './Button';
import { Dialog } from './Dialog';

interface ConfirmDialogProps {
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

/** Asks once more before something that cannot simply be taken back. */
export function ConfirmDialog({ open, onOpenChange, title, description, action, onConfirm, keep = 'Cancel', busy }: ConfirmDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      className="max-w-md"
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{keep}</Button>
          <Button variant="danger" busy={busy ?? false} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    />
  );
}
