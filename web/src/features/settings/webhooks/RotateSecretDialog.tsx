import type { WebhookEndpoint } from '@tandem/contracts';
import { webhookRules } from '@tandem/contracts/values';
import { useState } from 'react';
import { notify } from '../../../lib/notify';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { OverlapField } from '../../../ui/OverlapField';
import { endpointName } from './EndpointMenu';
import { useRotateWebhookSecretMutation } from './webhooks.api';

interface RotateSecretDialogProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
  onRotated: (secret: string) => void;
}

/** A new secret; for the chosen time every request carries both signatures. */
export function RotateSecretDialog({ endpoint, onClose, onRotated }: RotateSecretDialogProps) {
  const [hours, setHours] = useState<number>(webhookRules.secretOverlapHours);
  const [rotate, { isLoading }] = useRotateWebhookSecretMutation();
  const confirm = async () => {
    const answer = await rotate({ id: endpoint.id, overlap_hours: hours });
    if (answer.data) onRotated(answer.data.secret);
    else notify.problem(answer.error, 'Failed to rotate the secret');
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant={hours === 0 ? 'danger' : 'primary'} busy={isLoading} onClick={() => void confirm()}>
        Rotate secret
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Rotate the secret of ${endpointName(endpoint)}`}
      description={`The current secret ends in ${endpoint.secret_last_four}.`}
      className="max-w-md"
      footer={footer}
    >
      <OverlapField label="The old secret also signs for another" value={hours} onChange={setHours} />
      <p className="mt-3 text-muted">Until then each request carries both signatures, so your receiver can switch without missing one.</p>
    </Dialog>
  );
}
