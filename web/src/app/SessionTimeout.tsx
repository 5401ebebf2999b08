import type { Session } from '@tandem/contracts';
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState, type ComponentType } from 'react';
import { recordUserActivity } from '../lib/activity';
import { onRefresh, refreshSession, toLocalTime } from '../lib/http';
import { useExtendSessionMutation } from './api';
import { listenToTabs, postToTabs } from './session-channel';
import type { EndedBy, SessionPhase } from './session-clock';
import { recordSessionEnd } from './session-end';
import { useAdoptSession, useForgetSession, useKnownSession, useSignOut } from './session-store';
import type { SessionTimeoutDialogProps } from './SessionTimeoutDialog';
import { startSessionTimer, type SessionTimer } from './session-timer';

/** If the dialog fails to load, show nothing instead of an error page: the session still ends in time. */
const load = () => import('./SessionTimeoutDialog').catch(() => undefined);
const SessionTimeoutDialog = lazy(async (): Promise<{ default: ComponentType<SessionTimeoutDialogProps> }> => {
  const module = await load();
  return { default: module?.SessionTimeoutDialog ?? (() => null) };
});
/** Late enough not to compete with the first screen, early enough that the network is probably still available. */
const preloadMs = 20_000;
/** A dismissed warning about the absolute limit, which cannot be extended, is shown again for the last minute. */
const lastCallMs = 60_000;

interface Warning {
  why: EndedBy;
  leftMs: number;
}

/** Monitoring is not loaded on the sign-in page; on pages of a signed-in user it already is. */
function recordTimeout(reason: EndedBy): void {
  import('../lib/monitoring').then(
    ({ recordSecurityEvent }) => recordSecurityEvent('session_timeout', { reason }),
    () => undefined,
  );
}

const deadlinesOf = ({ idle_expires_at, absolute_expires_at }: Session) => ({
  idle: toLocalTime(idle_expires_at),
  absolute: toLocalTime(absolute_expires_at),
});

/** Applies session changes that other tabs and this tab's refreshes report. */
function useSessionNews(session: Session | undefined, adopt: (session: Session) => void): void {
  const forget = useForgetSession();
  const onNews = useEffectEvent((news: Parameters<Parameters<typeof onRefresh>[0]>[0]) => {
    if ('session' in news) {
      adopt(news.session);
      postToTabs({ type: 'session', session: news.session });
    } else if (news.problem.status === 401) recordSessionEnd({ reason: 'ended' });
  });
  const onMessage = useEffectEvent((message: Parameters<Parameters<typeof listenToTabs>[0]>[0]) => {
    if (message.type === 'session') adopt(message.session);
    else if (session) forget(message.reason);
  });
  useEffect(() => onRefresh((news) => onNews(news)), []);
  useEffect(() => listenToTabs((message) => onMessage(message)), []);
}

/** Loads the dialog before it is needed: by then there may be no connection. */
function usePreloadedDialog(session_id: string | undefined): void {
  useEffect(() => {
    if (!session_id) return;
    const preload = setTimeout(() => void load(), preloadMs);
    return () => clearTimeout(preload);
  }, [session_id]);
}

/** Runs the session timer: shows the warning before the session ends and signs out when it does. */
export function SessionTimeout() {
  const session = useKnownSession();
  const [warning, setWarning] = useState<Warning>();
  const [putAwayAt, setPutAwayAt] = useState<number>();
  const timer = useRef<SessionTimer>(undefined);
  const ending = useRef(false);
  const signOut = useSignOut();
  const [extend] = useExtendSessionMutation();
  const adopt = useAdoptSession();
  useSessionNews(session, adopt);

  const readDeadlines = useEffectEvent(() => (session && !ending.current ? deadlinesOf(session) : undefined));
  const end = useEffectEvent(async (why: EndedBy) => {
    ending.current = true;
    recordTimeout(why);
    await signOut(why);
    ending.current = false;
  });
  const onPhase = useEffectEvent((verdict: SessionPhase | undefined, now: number) => {
    if (verdict?.phase === 'warning') return setWarning({ why: verdict.why, leftMs: verdict.endsAt - now });
    setWarning(undefined);
    setPutAwayAt(undefined);
    if (verdict?.phase === 'over') void end(verdict.why);
  });

  useEffect(() => {
    timer.current = startSessionTimer({
      deadlines: () => readDeadlines(),
      onPhase: (verdict, now) => onPhase(verdict, now),
      report: refreshSession,
    });
    return () => timer.current?.stop();
  }, []);
  const { session_id, idle_expires_at, absolute_expires_at } = session ?? {};
  useEffect(() => {
    // Opening a page counts as activity; a tab that the browser restores in the background does not.
    if (session_id && document.visibilityState === 'visible') recordUserActivity();
  }, [session_id]);
  useEffect(() => timer.current?.check(), [session_id, idle_expires_at, absolute_expires_at]);
  usePreloadedDialog(session_id);

  if (!session || !warning) return null;
  if (putAwayAt !== undefined && (warning.leftMs > lastCallMs || putAwayAt <= lastCallMs)) return null;
  return (
    <Suspense fallback={null}>
      <SessionTimeoutDialog
        why={warning.why}
        secondsLeft={Math.ceil(warning.leftMs / 1_000)}
        onExtend={async () => {
          const { data, error } = await extend();
          if (!data) return error;
          recordUserActivity();
          adopt(data);
          postToTabs({ type: 'session', session: data });
          timer.current?.check();
        }}
        onDismiss={() => setPutAwayAt(warning.leftMs)}
        onSignOut={() => signOut()}
      />
    </Suspense>
  );
}
