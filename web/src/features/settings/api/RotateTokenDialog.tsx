import type { ApiToken, IssuedApiToken } from '@tandem/contracts';
import { apiTokenRules } from '@tandem/contracts/values';
import { useState } from 'react';
import { notify } from '../../../lib/notify';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { OverlapField } from '../../../ui/OverlapField';
import { useRotateApiTokenMutation } from './tokens.api';

interface RotateTokenDialogProps {
  token: ApiToken;
  onClose: () => void;
  onRotated: (issued: IssuedApiToken) => void;
}

/** A new value for a token; the old one stays valid for the chosen time. */
export function RotateTokenDialog({ token, onClose, onRotated }: RotateTokenDialogProps) {
  const [hours, setHours] = useState<number>(apiTokenRules.maxOverlapHours);
  const [rotate, { isLoading }] = useRotateApiTokenMutation();
  const confirm = async () => {
    const answer = await rotate({ id: token.id, overlap_hours: hours });
    if (answer.data) onRotated(answer.data);
    else notify.problem(answer.error, 'Failed to rotate the token');
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant={hours === 0 ? 'danger' : 'primary'} busy={isLoading} onClick={() => void confirm()}>
        Rotate token
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Rotate “${token.name}”`}
      description="The token gets a new value and keeps its name, permissions and expiry."
      className="max-w-md"
      footer={footer}
    >
      <OverlapField label="The old value works for another" value={hours} onChange={setHours} />
      {token.previous_valid_until && <p className="mt-3 text-muted">The value before the last rotation, which still works, stops now.</p>}
    </Dialog>
  );
}
