import { reportStream } from '../../../lib/connection';

const pollMs = 20_000;
/** With an open stream the page only makes sure now and then that it is not a dead one. */
const roundsWithStream = 6;
const retryStreamMs = 2 * 60_000;
const hiddenMs = 5 * 60_000;
/** One change often makes several events. */
const gatherMs = 100;

/**
 * Tells when a ticket may have changed: by the server's stream of its events (they carry nothing, so the page reads again), and every 20 s
 * as long as there is no stream. Nothing is asked for a page that nobody looks at; hidden for long, it gives its connection back.
 */
export function watchTicket(id: string, email: string, onNews: () => void): () => void {
  let source: EventSource | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let closing: ReturnType<typeof setTimeout> | undefined;
  let triedAt = 0;
  let round = 0;

  const isSeen = () => document.visibilityState === 'visible';
  const soon = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      onNews();
    }, gatherMs);
  };
  const close = () => {
    source?.close();
    source = undefined;
    reportStream(true);
  };
  const open = () => {
    triedAt = Date.now();
    const opened = new EventSource(`/api/v1/public/tickets/${encodeURIComponent(id)}/events?${new URLSearchParams({ email }).toString()}`);
    source = opened;
    // What happened between the last reading and now is not told again.
    opened.addEventListener('open', soon);
    opened.addEventListener('open', () => reportStream(true));
    opened.addEventListener('message', soon);
    opened.addEventListener('error', () => {
      reportStream(false);
      // A break mends itself; after a refusal the browser gives up.
      if (opened.readyState === EventSource.CLOSED && source === opened) close();
    });
  };
  const tick = () => {
    if (!isSeen()) return;
    if (!source && Date.now() - triedAt >= retryStreamMs) open();
    round += 1;
    if (source?.readyState !== EventSource.OPEN || round % roundsWithStream === 0) onNews();
  };
  const onVisibility = () => {
    clearTimeout(closing);
    if (!isSeen()) {
      closing = setTimeout(close, hiddenMs);
      return;
    }
    if (!source) open();
    onNews();
  };

  open();
  const timer = setInterval(tick, pollMs);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    close();
    clearInterval(timer);
    clearTimeout(gathering);
    clearTimeout(closing);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
