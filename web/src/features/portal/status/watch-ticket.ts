import { followTicket } from '@tandem/contracts/endpoints';
import { reportStream } from '../../../lib/connection';
import { urlOf } from '../../../lib/api-url';
import { call } from '../../../lib/call';

const pollMs = 20_000;
/** While a stream is open, refetch only every sixth round, in case the stream is dead. */
const roundsWithStream = 6;
const retryStreamMs = 2 * 60_000;
const hiddenMs = 5 * 60_000;
/** One change often emits several events: wait this long to handle them together. */
const gatherMs = 100;

/**
 * Calls `onNews` when a ticket may have changed: on events of the server's stream (they carry no data, so the page refetches), and every
 * 20 s while there is no stream. Hidden pages send no requests, and close their stream after 5 minutes.
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
    const opened = new EventSource(urlOf(call(followTicket, { params: { id }, query: { email } })));
    source = opened;
    // Events between the last refetch and now are not repeated, so refetch once the stream is open.
    opened.addEventListener('open', soon);
    opened.addEventListener('open', () => reportStream(true));
    opened.addEventListener('message', soon);
    opened.addEventListener('error', () => {
      reportStream(false);
      // After a lost connection the browser reconnects automatically; after a refusal it does not.
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
