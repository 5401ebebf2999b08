import { readSession } from '@tandem/contracts/endpoints';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/call';
import { read } from '../../lib/http';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import type { AuditFilters } from './audit-filters';
import { auditCsvAddress } from './settings.api';

/** Lets the browser stream the file. Reads the session first, because a download cannot refresh an expired access token. */
export function DownloadCsv({ filters }: { filters: AuditFilters }) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const { problem } = await read(call(readSession));
    setBusy(false);
    if (problem) return notify.problem(problem, t('settings.failed_to_download_log'));
    Object.assign(document.createElement('a'), { href: auditCsvAddress(filters), download: '' }).click();
  };
  return (
    <Button size="sm" busy={busy} onClick={() => void download()}>
      {!busy && <Download aria-hidden />}
      {t('settings.download_csv')}
    </Button>
  );
}
