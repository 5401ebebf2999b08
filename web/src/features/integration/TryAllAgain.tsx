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
    if (error) notify.problem(error, 'Couldn’t retry');
    else notify.success(data.retried === 1 ? 'Retrying 1 ticket' : `Retrying ${data.retried} tickets`);
  };
  return (
    <Button size="sm" busy={isLoading} onClick={() => void tryAgain()}>
      {!isLoading && <RotateCw aria-hidden />}
      Retry all
    </Button>
  );
}
