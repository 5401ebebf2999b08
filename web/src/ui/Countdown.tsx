import { useEffect, useState } from 'react';
import { formatCountdown } from '../lib/dates';

/** Counts down to an instant, each second. Screen readers read it on request; it is not announced. */
export function Countdown({ until, className }: { until: string; className?: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={until} className={`tabular ${className ?? ''}`}>
      {formatCountdown(until, now)}
    </time>
  );
}
