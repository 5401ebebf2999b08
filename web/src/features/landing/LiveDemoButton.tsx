import { listTickets, readInstallation, startDemo } from '@tandem/contracts/endpoints';
import { useEffect, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { call } from '../../lib/call';
import { send } from '../../lib/http';
import { messageOf } from '../../lib/problem';
import { Button } from '../../ui/Button';

const enough = 12;
/** The demo's tickets are written while the visitor waits, usually for less than two seconds. */
const waitMs = 400;
const longestWait = 20;

type State = { is: 'ready' | 'starting' } | { is: 'refused'; message: string };

/** Starts a live demo where the installation offers one; otherwise shows its children. */
export function LiveDemoButton({ children }: { children: ReactNode }) {
  const [isOffered, setOffered] = useState(false);
  const [state, setState] = useState<State>({ is: 'ready' });
  const navigate = useNavigate();
  useEffect(() => {
    const leaving = new AbortController();
    send(call(readInstallation), leaving.signal).then(
      ({ data }) => setOffered(data?.has_live_demo === true),
      () => undefined, // The user has left the page in the meantime.
    );
    return () => leaving.abort();
  }, []);
  if (!isOffered) return children;
  const start = async () => {
    setState({ is: 'starting' });
    const { problem } = await send(call(startDemo));
    if (problem) return setState({ is: 'refused', message: messageOf(problem, problem.title) });
    await waitForTickets();
    await navigate('/tickets');
  };
  return (
    <>
      <Button size="lg" className="h-12 px-5" busy={state.is === 'starting'} onClick={() => void start()}>
        Try it now
      </Button>
      <p role="status" className="basis-full text-md text-muted empty:hidden">
        {state.is === 'starting' && 'Setting up a help desk with demo data for you…'}
        {state.is === 'refused' && state.message}
      </p>
    </>
  );
}

async function waitForTickets(): Promise<void> {
  for (let tries = 0; tries < longestWait; tries++) {
    const { data } = await send(call(listTickets, { query: { limit: enough } }));
    if (data?.length === enough) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
