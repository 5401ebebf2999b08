import { Copy, Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSession } from '../../app/api';
import { copyText } from '../../lib/clipboard';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';

/** The recovery codes, shown only once. They disappear when the user confirms that they are saved. */
export function RecoveryCodes({ codes, done, onDone }: { codes: string[]; done: string; onDone: () => void }) {
  const { profile } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const file = t('account.recovery_codes_file', { email: profile.email, codes: codes.join('\n') });
  return (
    <div className="flex flex-col gap-4">
      <h3 ref={heading} tabIndex={-1} className="font-semibold">
        {t('account.your_recovery_codes')}
      </h3>
      <Alert>{t('account.save_these_codes_now')}</Alert>
      <ul
        aria-label={t('account.recovery_codes')}
        className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-md border bg-sunken p-4 font-mono text-md max-sm:grid-cols-1"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copyText(codes.join('\n'), t('account.recovery_codes_copied'))}>
          <Copy aria-hidden />
          {t('account.copy')}
        </Button>
        <Button asChild>
          <a href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`} download="tandem-recovery-codes.txt">
            <Download aria-hidden />
            {t('account.download')}
          </a>
        </Button>
        <Button variant="primary" className="ml-auto" onClick={onDone}>
          {done}
        </Button>
      </div>
    </div>
  );
}
