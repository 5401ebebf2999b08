import type { Integration } from '@tandem/contracts';
import { RotateCw } from 'lucide-react';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { useRetryIntegrationMutation } from './integration.api';

/** Retries everything of an integration that failed, was stopped or was refused. */
export function TryAllAgain({ integration }: { integration: Integration }) {
  const [retry, { isLoading }] = useRetryIntegrationMutation();
  const tryAgain = async () => {
    const { data, error } = await retry(integration.id);
    if (error) notify.problem(error, t('integration.couldnt_retry'));
    else notify.success(t('integration.retrying_count_tickets', { retried: data.retried }));
  };
  return (
    <Button size="sm" busy={isLoading} onClick={() => void tryAgain()}>
      {!isLoading && <RotateCw aria-hidden />}
      {t('integration.retry_all')}
    </Button>
  );
}
