import type { WebhookEndpoint } from '@tandem/contracts';
import { webhookRules } from '@tandem/contracts/values';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { RotateDialog } from '../RotateDialog';
import { endpointName } from './endpoint-labels';
import { useRotateWebhookSecretMutation } from './webhooks.api';

interface RotateSecretDialogProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
  onRotated: (secret: string) => void;
}

export function RotateSecretDialog({ endpoint, onClose, onRotated }: RotateSecretDialogProps) {
  const [rotate, { isLoading }] = useRotateWebhookSecretMutation();
  const onRotate = async (overlap_hours: number) => {
    const answer = await rotate({ id: endpoint.id, overlap_hours });
    if (answer.data) onRotated(answer.data.secret);
    else notify.problem(answer.error, t('settings.webhooks.failed_to_rotate_secret'));
  };
  return (
    <RotateDialog
      title={t('settings.webhooks.rotate_secret_of_endpoint_name', { endpointName: endpointName(endpoint) })}
      description={t('settings.webhooks.current_secret_ends_in_secret', { secret_last_four: endpoint.secret_last_four })}
      overlapLabel={t('settings.webhooks.old_secret_also_signs_for_another')}
      overlapHours={webhookRules.secretOverlapHours}
      note={t('settings.webhooks.both_signatures_until_then')}
      action={t('settings.webhooks.rotate_secret')}
      busy={isLoading}
      onRotate={onRotate}
      onClose={onClose}
    />
  );
}
