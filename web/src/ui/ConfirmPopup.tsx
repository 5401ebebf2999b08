import { Button } from './Button';
import type { ConfirmDialogProps } from './ConfirmDialog';
import { Dialog } from './Dialog';

/** The dialog itself, loaded when ConfirmDialog.tsx first opens. */
export function ConfirmPopup({ open, onOpenChange, title, description, action, onConfirm, keep = 'Cancel', busy }: ConfirmDialogProps) {
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
