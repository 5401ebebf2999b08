import type { WebhookEndpoint } from '@tandem/contracts';
import { webhookRules } from '@tandem/contracts/values';
import { notify } from '../../../lib/notify';
import { RotateDialog } from '../RotateDialog';
import { endpointName } from './EndpointMenu';
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
    else notify.problem(answer.error, 'Failed to rotate the secret');
  };
  return (
    <RotateDialog
      title={`Rotate the secret of ${endpointName(endpoint)}`}
      description={`The current secret ends in ${endpoint.secret_last_four}.`}
      overlapLabel="The old secret also signs for another"
      overlapHours={webhookRules.secretOverlapHours}
      note="Until then each request carries both signatures, so your receiver can switch without missing one."
      action="Rotate secret"
      busy={isLoading}
      onRotate={onRotate}
      onClose={onClose}
    />
  );
}
