import type { ApiToken, IssuedApiToken } from '@tandem/contracts';
import { apiTokenRules } from '@tandem/contracts/values';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
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
    else notify.problem(answer.error, t('settings.api.failed_to_rotate_token'));
  };
  return (
    <RotateDialog
      title={t('settings.api.rotate_name', { name: token.name })}
      description={t('settings.api.what_rotating_token_does')}
      overlapLabel={t('settings.api.old_value_works_for_another')}
      overlapHours={apiTokenRules.maxOverlapHours}
      note={token.previous_valid_until ? t('settings.api.older_value_stops_now') : undefined}
      action={t('settings.api.rotate_token')}
      busy={isLoading}
      onRotate={onRotate}
      onClose={onClose}
    />
  );
}
