import { readSession } from '@tandem/contracts/endpoints';
import { useEffect, useState } from 'react';
import { call } from '../../lib/call';
import { sendSignedIn } from '../../lib/http';
import { mayHaveSession } from '../../lib/session-cookie';

/** Whether the visitor is signed in. If the session cannot be read, the visitor counts as anonymous: this page shows no errors. */
export type Visitor = 'asking' | 'anonymous' | 'signed-in';

/** Requests the session only if the browser may have one: for all other visitors the page is complete immediately. */
export function useVisitor(): Visitor {
  const [visitor, setVisitor] = useState<Visitor>(() => (mayHaveSession() ? 'asking' : 'anonymous'));
  useEffect(() => {
    if (!mayHaveSession()) return;
    const leaving = new AbortController();
    sendSignedIn(call(readSession), leaving.signal).then(
      (answer) => setVisitor(answer.problem ? 'anonymous' : 'signed-in'),
      () => undefined, // The user has left the page in the meantime.
    );
    return () => leaving.abort();
  }, []);
  return visitor;
}
