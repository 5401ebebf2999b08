import { useEffect, useState } from 'react';
import { mayHaveSession, sendSignedIn } from '../../lib/http';

/** Who looks at the page. A visitor whose session cannot be read, for whatever reason, is a visitor: this page has no errors. */
export type Visitor = 'asking' | 'anonymous' | 'signed-in';

/** Asks only a browser that may hold a session: for everybody else the page is complete at once. */
export function useVisitor(): Visitor {
  const [visitor, setVisitor] = useState<Visitor>(() => (mayHaveSession() ? 'asking' : 'anonymous'));
  useEffect(() => {
    if (!mayHaveSession()) return;
    const leaving = new AbortController();
    sendSignedIn({ path: '/auth/session' }, leaving.signal).then(
      (answer) => setVisitor(answer.problem ? 'anonymous' : 'signed-in'),
      () => undefined, // left the page meanwhile
    );
    return () => leaving.abort();
  }, []);
  return visitor;
}
