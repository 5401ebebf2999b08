import { notify } from '../lib/notify';
import { t } from '../lib/staff-texts';
import { Button } from '../ui/Button';
import { useCancelOrganizationDeletionMutation } from './organization-deletion.api';

/** Cancels the requested deletion of the organization, with one click. */
export function CancelDeletionButton({ organization_id, className }: { organization_id: string; className?: string }) {
  const [cancel, { isLoading }] = useCancelOrganizationDeletionMutation();
  const onClick = async () => {
    const { error } = await cancel(organization_id);
    if (error) notify.problem(error, t('app.couldnt_cancel_deletion'));
    else notify.success(t('app.deletion_cancelled'));
  };
  return (
    <Button size="sm" className={className} busy={isLoading} onClick={() => void onClick()}>
      {t('app.cancel_deletion')}
    </Button>
  );
}
