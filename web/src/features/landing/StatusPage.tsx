import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/Button';
import { InfoPage } from './InfoPage';
import { readStatus, type Status } from './installation-status';

const everyMs = 30_000;

/** /status: which parts of this installation work, read again every half minute. */
export function StatusPage() {
  const [status, setStatus] = useState<Status>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const read = () => {
      void readStatus(leaving.signal).then((next) => {
        if (!leaving.signal.aborted) setStatus(next);
      });
    };
    read();
    const timer = setInterval(read, everyMs);
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, [round]);
  return (
    <InfoPage title="Status" intro="Which parts of Tandem work at the moment.">
      <div className="mt-12 max-w-[42rem]" aria-live="polite">
        <p className="text-xl font-semibold tracking-tight">{status ? status.summary : 'Checking…'}</p>
        {status && (
          <ul className="mt-6 divide-y rounded-xl border bg-surface">
            {status.parts.map(({ name, isUp }) => (
              <li key={name} className="flex items-center justify-between gap-4 px-5 py-4">
                {name}
                <span className={`flex items-center gap-2 ${isUp ? 'text-muted' : 'text-red-text'}`}>
                  {isUp ? <CircleCheck className="size-4" aria-hidden /> : <CircleAlert className="size-4" aria-hidden />}
                  {isUp ? 'Working' : 'Not available'}
                </span>
              </li>
            ))}
          </ul>
        )}
        <Button className="mt-6" onClick={() => setRound(round + 1)}>
          Check again
        </Button>
      </div>
    </InfoPage>
  );
}
