import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { useCancelErasureMutation } from './privacy.api';

/** Without a question: it deletes nothing, and the erasure can be requested again. */
export function CancelErasure({ id, label }: { id: string; label: string }) {
  const [cancel, { isLoading }] = useCancelErasureMutation();
  const run = async () => {
    const { error } = await cancel(id);
    if (error) return notify.problem(error, t('settings.privacy.couldnt_cancel'));
    notify.success(t('settings.privacy.erasure_cancelled'));
  };
  return (
    <Button size="sm" aria-label={label} busy={isLoading} onClick={() => void run()}>
      {t('settings.privacy.cancel')}
    </Button>
  );
}
