import type { Import } from '@tandem/contracts';
import { useState } from 'react';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { useCancelImportMutation } from './import-work.api';

/** Stops an import in any state, after a question. */
export function CancelImport({ current, label, className }: { current: Import; label: string; className?: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const [cancel, { isLoading }] = useCancelImportMutation();
  const isImporting = current.state === 'importing';
  const confirm = async () => {
    const { error } = await cancel(current.id);
    setIsAsking(false);
    if (error) notify.problem(error, t('settings.transfer.couldnt_cancel'));
  };
  return (
    <>
      <Button className={className ?? 'self-start'} onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('settings.transfer.cancel_this_import')}
        description={isImporting ? t('settings.transfer.what_cancel_does') : t('settings.transfer.what_discard_does')}
        action={t('settings.transfer.cancel_import')}
        keep={t('settings.transfer.keep_import')}
        busy={isLoading}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
