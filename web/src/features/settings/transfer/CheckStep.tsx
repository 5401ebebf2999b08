import type { Import } from '@tandem/contracts';
import { isApiSource } from '@tandem/contracts/values';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { CancelImport } from './CancelImport';
import { Counts } from './Counts';
import { useCheckImportMutation } from './import-work.api';
import { Preview } from './Preview';
import { problemGroups } from './problem-groups';
import { Problems } from './Problems';
import { Progress } from './Progress';

/** Starts the first check, or another one after changes. */
export function CheckButton({ current, isFirst, isPrimary = false }: { current: Import; isFirst: boolean; isPrimary?: boolean }) {
  const [check, { isLoading }] = useCheckImportMutation();
  const start = async () => {
    const { error } = await check(current.id);
    if (error) notify.problem(error, t('settings.transfer.couldnt_check'));
  };
  return (
    <Button variant={isPrimary ? 'primary' : 'secondary'} className="self-start" busy={isLoading} onClick={() => void start()}>
      {isFirst ? t('settings.transfer.check_data') : t('settings.transfer.check_again')}
    </Button>
  );
}

interface CheckStepProps {
  current: Import;
  /** Whether something was changed since the last check. */
  isOutdated: boolean;
  readAt: number | undefined;
}

/** Reads the source without creating anything, and shows what an import would do. */
export function CheckStep({ current, isOutdated, readAt }: CheckStepProps) {
  if (current.state === 'preparing')
    return (
      <>
        <p className="text-pretty text-muted">{t('settings.transfer.what_check_does')}</p>
        <CheckButton current={current} isFirst={!isOutdated} isPrimary />
      </>
    );
  if (current.state === 'checking')
    return (
      <>
        <Progress
          label={t('settings.transfer.checking')}
          progress={current.progress}
          readAt={readAt}
          isBytes={!isApiSource(current.source)}
        />
        <p className="text-xs text-pretty text-muted">{t('settings.transfer.you_can_leave')}</p>
        <CancelImport current={current} label={t('settings.transfer.cancel_import')} />
      </>
    );
  return (
    <>
      {problemGroups(current.problems).length === 0 && <Alert tone="success">{t('settings.transfer.no_problems')}</Alert>}
      <Counts counts={current.counts} isDone={false} />
      <Problems current={current} />
      {current.state === 'ready' && <Preview current={current} />}
      {current.state === 'ready' && <CheckButton current={current} isFirst={false} />}
    </>
  );
}
