import type { Import } from '@tandem/contracts';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { notify } from '../../../lib/notify';
import { useNow } from '../../../lib/now';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { canUndo } from './import-labels';
import { useUndoImportMutation } from './import-work.api';
import { undoLeftText } from './time-left';

/** Deletes what the import has created, while that is possible. */
export function UndoImport({ current }: { current: Import }) {
  const now = useNow();
  const [isAsking, setIsAsking] = useState(false);
  const [undo, { isLoading }] = useUndoImportMutation();
  if (!canUndo(current, now)) return null;
  const confirm = async () => {
    const { error } = await undo(current.id);
    setIsAsking(false);
    if (error) notify.problem(error, t('settings.transfer.couldnt_undo'));
  };
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>
        <Undo2 aria-hidden />
        {t('settings.transfer.undo_import')}
      </Button>
      <span className="text-muted tabular">{undoLeftText(current.undo_until!, now)}</span>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('settings.transfer.undo_this_import')}
        description={t('settings.transfer.what_undo_does')}
        action={t('settings.transfer.undo_import')}
        busy={isLoading}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
