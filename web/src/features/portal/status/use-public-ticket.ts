import type { PublicTicket } from '@tandem/contracts';
import { listPublicComments, readPublicTicket } from '@tandem/contracts/endpoints';
import { publicCommentsShown } from '@tandem/contracts/values';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/call';
import { read } from '../../../lib/http';
import { toRemoteData, type RemoteData } from '../portal';
import { withEarlier, withLatest } from './join-comments';
import { watchTicket } from './watch-ticket';

const joined = (before: RemoteData<PublicTicket>, now: RemoteData<PublicTicket>): RemoteData<PublicTicket> => {
  if (before.state !== 'loaded') return now;
  if (now.state === 'loaded') return { state: 'loaded', value: withLatest(before.value, now.value) };
  // A failed refetch must not remove the ticket from the page, unless it is a 404.
  return now.state === 'failed' && now.problem.status === 404 ? now : before;
};

export interface Earlier {
  isBusy: boolean;
  hasFailed: boolean;
  show: () => void;
}

/** The customer's view of a ticket, refetched whenever it changes. */
export function usePublicTicket(id: string, email: string): RemoteData<PublicTicket> & { refresh: () => void; earlier: Earlier } {
  const [result, setResult] = useState<RemoteData<PublicTicket>>({ state: 'loading' });
  const [earlier, setEarlier] = useState<'idle' | 'busy' | 'failed'>('idle');
  const ask = useRef<() => void>(() => undefined);
  useEffect(() => {
    const leaving = new AbortController();
    let current = 0;
    ask.current = () => {
      const mine = (current += 1);
      read(call(readPublicTicket, { params: { id }, query: { email } }), leaving.signal).then(
        // Ignore responses to all but the latest request.
        (answer) => mine === current && setResult((before) => joined(before, toRemoteData(answer))),
        () => undefined, // The user has left the page in the meantime.
      );
    };
    ask.current();
    const unwatch = watchTicket(id, email, () => ask.current());
    return () => {
      leaving.abort();
      unwatch();
    };
  }, [id, email]);

  const cursor = result.state === 'loaded' ? result.value.earlier_cursor : null;
  const show = useCallback(async () => {
    if (cursor === null) return;
    setEarlier('busy');
    const answer = await read(call(listPublicComments, { params: { id }, query: { email, cursor, limit: publicCommentsShown } }));
    setEarlier(answer.problem ? 'failed' : 'idle');
    if (answer.problem) return;
    const next = answer.pagination?.next_cursor ?? null;
    setResult((before) => (before.state === 'loaded' ? { state: 'loaded', value: withEarlier(before.value, answer.data, next) } : before));
  }, [id, email, cursor]);
  const refresh = useCallback(() => ask.current(), []);
  return { ...result, refresh, earlier: { isBusy: earlier === 'busy', hasFailed: earlier === 'failed', show: () => void show() } };
}
