import type { ApiToken, IssuedApiToken } from '@tandem/contracts';
import { apiTokenRules } from '@tandem/contracts/values';
import { notify } from '../../../lib/notify';
import { RotateDialog } from '../RotateDialog';
import { useRotateApiTokenMutation } from './tokens.api';

interface RotateTokenDialogProps {
  token: ApiToken;
  onClose: () => void;
  onRotated: (issued: IssuedApiToken) => void;
}

export function RotateTokenDialog({ token, onClose, onRotated }: RotateTokenDialogProps) {
  const [rotate, { isLoading }] = useRotateApiTokenMutation();
  const onRotate = async (overlap_hours: number) => {
    const answer = await rotate({ id: token.id, overlap_hours });
    if (answer.data) onRotated(answer.data);
    else notify.problem(answer.error, 'Failed to rotate the token');
  };
  return (
    <RotateDialog
      title={`Rotate “${token.name}”`}
      description="The token gets a new value and keeps its name, permissions and expiry."
      overlapLabel="The old value works for another"
      overlapHours={apiTokenRules.maxOverlapHours}
      note={token.previous_valid_until ? 'The value before the last rotation, which still works, stops now.' : undefined}
      action="Rotate token"
      busy={isLoading}
      onRotate={onRotate}
      onClose={onClose}
    />
  );
}
