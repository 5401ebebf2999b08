import { readSession } from '@tandem/contracts/endpoints';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/call';
import { read } from '../../lib/http';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { analyticsCsvAddress } from './analytics.api';
import type { AnalyticsView } from './analytics-view';

/** Lets the browser stream the file. Reads the session first, because a download cannot refresh an expired access token. */
export function DownloadTickets({ view }: { view: AnalyticsView }) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const { problem } = await read(call(readSession));
    setBusy(false);
    if (problem) return notify.problem(problem, t('analytics.failed_to_download_tickets'));
    Object.assign(document.createElement('a'), { href: analyticsCsvAddress(view), download: '' }).click();
  };
  return (
    <Button size="sm" busy={busy} onClick={() => void download()} title={t('analytics.one_line_per_ticket')}>
      {!busy && <Download aria-hidden />}
      <span className="max-sm:sr-only">{t('analytics.download_csv')}</span>
    </Button>
  );
}
