import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { cn } from '../../lib/cn';
import { Button } from '../../ui/Button';
import { InfoPage } from './InfoPage';
import { checking, readStatus, type Status } from './installation-status';

const everyMs = 30_000;

/** Takes its place while it is unknown, so that long names wrap the same way. */
const PartState = ({ isUp }: { isUp: boolean | null }) => (
  <span className={cn('flex items-center gap-2', isUp === false ? 'text-red-text' : 'text-muted', isUp === null && 'invisible')}>
    {isUp === false ? <CircleAlert className="size-4" aria-hidden /> : <CircleCheck className="size-4" aria-hidden />}
    {isUp === false ? 'Not available' : 'Working'}
  </span>
);

/** /status: which parts of this installation work, read again every half minute. */
export function StatusPage() {
  const [status, setStatus] = useState<Status>(checking);
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
        <p className="text-xl font-semibold tracking-tight">{status.summary}</p>
        <ul className="mt-6 divide-y rounded-xl border bg-surface" aria-busy={status === checking}>
          {status.parts.map(({ name, isUp }) => (
            <li key={name} className="flex items-center justify-between gap-4 px-5 py-4">
              {name}
              <PartState isUp={isUp} />
            </li>
          ))}
        </ul>
        <Button className="mt-6" onClick={() => setRound(round + 1)}>
          Check again
        </Button>
      </div>
    </InfoPage>
  );
}
