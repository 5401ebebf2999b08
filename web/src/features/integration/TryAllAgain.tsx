import type { Integration } from '@tandem/contracts';
import { RotateCw } from 'lucide-react';
import { notify } from '../../lib/notify';
import { Button } from '../../ui/Button';
import { useRetryIntegrationMutation } from './integration.api';

/** Retries everything of an integration that failed, was stopped or was refused. */
export function TryAllAgain({ integration }: { integration: Integration }) {
  const [retry, { isLoading }] = useRetryIntegrationMutation();
  const tryAgain = async () => {
    const { data, error } = await retry(integration.id);
    if (error) notify.problem(error, 'Failed to try again');
    else notify.success(data.retried === 1 ? 'Trying 1 ticket again' : `Trying ${data.retried} tickets again`);
  };
  return (
    <Button size="sm" busy={isLoading} onClick={() => void tryAgain()}>
      {!isLoading && <RotateCw aria-hidden />}
      Try all again
    </Button>
  );
}
