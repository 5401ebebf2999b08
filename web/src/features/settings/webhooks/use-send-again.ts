import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { useRedeliverWebhooksMutation } from './deliveries.api';

/** Sends deliveries again, each as a new delivery with the same event id. */
export function useSendAgain() {
  const [redeliver, { isLoading }] = useRedeliverWebhooksMutation();
  const sendAgain = async (ids: string[]): Promise<boolean> => {
    const { error } = await redeliver({ ids, key: crypto.randomUUID() });
    if (error) notify.problem(error, t('settings.webhooks.failed_to_send_again'));
    else notify.success(t('settings.webhooks.sending_count_deliveries_again', { count: ids.length }));
    return !error;
  };
  return { sendAgain, isSending: isLoading };
}
