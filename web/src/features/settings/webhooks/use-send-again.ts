import { notify } from '../../../lib/notify';
import { useRedeliverWebhooksMutation } from './deliveries.api';

/** Sends deliveries again, each as a new delivery with the same event id. */
export function useSendAgain() {
  const [redeliver, { isLoading }] = useRedeliverWebhooksMutation();
  const sendAgain = async (ids: string[]): Promise<boolean> => {
    const { error } = await redeliver({ ids, key: crypto.randomUUID() });
    if (error) notify.problem(error, 'Failed to send again');
    else notify.success(ids.length === 1 ? 'Sending again.' : `Sending ${ids.length} deliveries again.`);
    return !error;
  };
  return { sendAgain, isSending: isLoading };
}
