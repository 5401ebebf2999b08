import { sessionRules } from '@tandem/contracts/values';
import { Clock } from 'lucide-react';
import { AlertDialog as Radix } from 'radix-ui';
import { useState } from 'react';
import { messageOf } from '../lib/problem';
import { t } from '../lib/staff-texts';
import { Alert } from '../ui/Alert';
import { Button } from '../ui/Button';
import type { EndedBy } from './session-clock';

export interface SessionTimeoutDialogProps {
  why: EndedBy;
  secondsLeft: number;
  /** Resolves to the problem if extending failed. */
  onExtend: () => Promise<unknown>;
  onDismiss: () => void;
  onSignOut: () => Promise<void>;
}

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** The text changes once a minute, so screen readers announce it once a minute. */
function spoken(secondsLeft: number): string {
  const minutes = Math.ceil(secondsLeft / 60);
  return minutes <= 1 ? t('app.less_than_minute_left') : t('app.less_than_minutes_left', { minutes });
}

const texts: Record<EndedBy, { lead: string; notice: string; hint: string }> = {
  idle: {
    lead: t('app.you_will_be_signed_out'),
    notice: t('app.why_inactive_sessions_end', { idleMinutes: sessionRules.idleMinutes }),
    hint: t('app.how_to_extend_session'),
  },
  absolute: {
    lead: t('app.session_ends_in'),
    notice: t('app.why_every_session_ends', { absoluteHours: sessionRules.absoluteHours }),
    hint: t('app.finish_what_you_are_writing'),
  },
};

function Countdown({ lead, secondsLeft }: { lead: string; secondsLeft: number }) {
  return (
    <div className="flex items-center gap-3 rounded-lg bg-amber-soft px-4 py-3 text-amber-text">
      <Clock className="size-5 shrink-0" aria-hidden />
      <p className="flex-1 font-medium">{lead}</p>
      <p role="timer" aria-live="off" aria-label={t('app.time_left')} className="tabular text-xl font-semibold">
        {clock(Math.max(secondsLeft, 0))}
      </p>
      <p aria-live="polite" className="sr-only">
        {spoken(secondsLeft)}
      </p>
    </div>
  );
}

/**
 * Countdown, security notice, Sign Out Now and Extend Session. The dialog covers the whole page, so a click outside lands on the scrim:
 * that counts as activity and extends the session. Escape does nothing, because its meaning here would be ambiguous.
 */
export function SessionTimeoutDialog({ why, secondsLeft, onExtend, onDismiss, onSignOut }: SessionTimeoutDialogProps) {
  const [busy, setBusy] = useState<'extend' | 'sign-out'>();
  const [problem, setProblem] = useState<unknown>();
  const { lead, notice, hint } = texts[why];
  const run = async (what: 'extend' | 'sign-out', work: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(what);
    setProblem(await work());
    setBusy(undefined);
  };
  const stay = () => (why === 'idle' ? void run('extend', onExtend) : onDismiss());
  return (
    <Radix.Root open>
      <Radix.Portal>
        <Radix.Overlay data-testid="session-scrim" onPointerDown={stay} className="fixed inset-0 z-[60] animate-overlay bg-scrim" />
        <Radix.Content
          onEscapeKeyDown={(event) => event.preventDefault()}
          className="fixed top-[16vh] left-1/2 z-[70] flex w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 animate-overlay flex-col gap-4 rounded-xl border border-line-strong bg-raised p-5 shadow-overlay"
        >
          <Radix.Title className="text-md font-semibold">{t('app.session_timeout')}</Radix.Title>
          <Countdown lead={lead} secondsLeft={secondsLeft} />
          <Radix.Description className="text-pretty text-muted">
            {notice} {hint}
          </Radix.Description>
          {problem !== undefined && <Alert tone="destructive">{messageOf(problem, t('app.couldnt_extend_session'))}</Alert>}
          <div className="flex justify-end gap-2">
            <Button busy={busy === 'sign-out'} onClick={() => void run('sign-out', onSignOut)}>
              {t('app.sign_out_now')}
            </Button>
            <Radix.Cancel asChild>
              <Button variant="primary" busy={busy === 'extend'} onClick={stay}>
                {why === 'idle' ? t('app.extend_session') : t('app.continue_working')}
              </Button>
            </Radix.Cancel>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
