import { Copy, Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSession } from '../../app/api';
import { copyText } from '../../lib/clipboard';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';

/** The recovery codes, shown only once. They disappear when the user confirms that they are saved. */
export function RecoveryCodes({ codes, done, onDone }: { codes: string[]; done: string; onDone: () => void }) {
  const { profile } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const file = `Tandem recovery codes for ${profile.email}\nEach code works once, instead of a code from your authenticator app.\n\n${codes.join('\n')}\n`;
  return (
    <div className="flex flex-col gap-4">
      <h3 ref={heading} tabIndex={-1} className="font-semibold">
        Your recovery codes
      </h3>
      <Alert>
        Save these codes now. They won’t be shown again. If you lose your phone, each code signs you in once. Older codes no longer work.
      </Alert>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-md border bg-sunken p-4 font-mono text-md max-sm:grid-cols-1"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copyText(codes.join('\n'), 'Recovery codes copied')}>
          <Copy aria-hidden />
          Copy
        </Button>
        <Button asChild>
          <a href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`} download="tandem-recovery-codes.txt">
            <Download aria-hidden />
            Download
          </a>
        </Button>
        <Button variant="primary" className="ml-auto" onClick={onDone}>
          {done}
        </Button>
      </div>
    </div>
  );
}
