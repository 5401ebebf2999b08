import { t } from '../lib/staff-texts';
import { Button } from './Button';
import { Dialog } from './Dialog';

export interface ConfirmPopupProps {
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

/** The dialog itself, loaded when ConfirmDialog.tsx first opens. */
export function ConfirmPopup({
  open,
  onOpenChange,
  title,
  description,
  action,
  onConfirm,
  keep = t('ui.cancel'),
  busy,
}: ConfirmPopupProps) {
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
