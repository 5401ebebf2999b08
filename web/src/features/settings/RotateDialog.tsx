import { useState } from 'react';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Field } from '../../ui/Field';
import { Select } from '../../ui/Select';

const overlapOptions = [0, 1, 4, 12, 24].map((hours) => ({
  value: String(hours),
  label: hours === 0 ? t('settings.stops_now') : t('settings.count_hours', { hours }),
}));

interface RotateDialogProps {
  title: string;
  description: string;
  /** How long the old value stays valid: 'The old value works for another'. */
  overlapLabel: string;
  overlapHours: number;
  note?: string | undefined;
  action: string;
  busy: boolean;
  onRotate: (overlapHours: number) => Promise<void>;
  onClose: () => void;
}

/** Gives a token or a secret a new value; the old one stays valid for the chosen time. */
export function RotateDialog({ overlapLabel, overlapHours, note, action, busy, onRotate, onClose, ...texts }: RotateDialogProps) {
  const [hours, setHours] = useState(String(overlapHours));
  const footer = (
    <>
      <Button onClick={onClose}>{t('settings.cancel')}</Button>
      <Button variant={hours === '0' ? 'danger' : 'primary'} busy={busy} onClick={() => void onRotate(Number(hours))}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog {...texts} open onOpenChange={(open) => !open && onClose()} className="max-w-md" footer={footer}>
      <Field label={overlapLabel} hint={t('settings.what_overlap_is_for')}>
        {(control) => <Select {...control} value={hours} options={overlapOptions} onChange={setHours} />}
      </Field>
      {note && <p className="mt-3 text-muted">{note}</p>}
    </Dialog>
  );
}
