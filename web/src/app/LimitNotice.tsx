import { useEffect, useState } from 'react';
import { announce } from '../lib/announce';
import { useLimitWait } from '../lib/limit-wait';
import { t } from '../lib/staff-texts';

const textOf = (seconds: number) => t('app.retrying_after_too_many_requests', { seconds });
const secondsUntil = (until: number) => Math.max(1, Math.ceil((until - Date.now()) / 1_000));

function Countdown({ until }: { until: number }) {
  const [seconds, setSeconds] = useState(() => secondsUntil(until));
  useEffect(() => {
    // Announce once: a screen reader must not be interrupted every second.
    announce(textOf(secondsUntil(until)));
    const timer = setInterval(() => setSeconds(secondsUntil(until)), 500);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <p className="tabular pointer-events-none fixed bottom-4 left-1/2 z-50 -translate-x-1/2 rounded-full border bg-raised px-3 py-1 text-xs text-muted shadow-overlay max-md:bottom-16">
      {textOf(seconds)}
    </p>
  );
}

/** Shows that the server is rate limiting requests, and when they will be retried. The page content stays visible. */
export function LimitNotice() {
  const until = useLimitWait();
  return until === undefined ? null : <Countdown key={until} until={until} />;
}
