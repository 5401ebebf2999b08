import type { MfaState } from '@tandem/contracts';
import { lazy, Suspense, useState } from 'react';
import { notify } from '../../lib/notify';
import { messageOf } from '../../lib/problem';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeleton } from '../../ui/Skeleton';
import { Time } from '../../ui/Time';
import { useDisableMfaMutation, useReadMfaQuery, useRenewRecoveryCodesMutation } from './account.api';
import { ConfirmPassword } from './ConfirmPassword';
import { RecoveryCodes } from './RecoveryCodes';
import { Section } from './Section';

const TwoFactorSetup = lazy(() => import('./TwoFactorSetup').then((module) => ({ default: module.TwoFactorSetup })));

/** With fewer codes left than this, suggest new ones. */
const fewCodes = 3;

type Doing = 'setup' | 'renew' | 'disable' | { codes: string[] };

function Off({ isBack, onSetUp }: { isBack: boolean; onSetUp: () => void }) {
  return (
    <>
      <p className="text-muted">Add a second step at sign-in with an authenticator app.</p>
      <Button autoFocus={isBack} variant="primary" className="self-start" onClick={onSetUp}>
        Set up two-factor sign-in
      </Button>
    </>
  );
}

function On({ mfa, isBack, onDo }: { mfa: MfaState; isBack: boolean; onDo: (what: 'renew' | 'disable') => void }) {
  const left = mfa.recovery_codes_left;
  return (
    <>
      <p>
        Sign-in requires a code from your authenticator app
        {mfa.enabled_at && (
          <>
            {', since '}
            <Time iso={mfa.enabled_at} />
          </>
        )}
        .
      </p>
      <p className={left < fewCodes ? 'font-medium text-amber-text' : 'text-muted'}>
        {left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`}
        {left < fewCodes && ' Generate new ones before you run out.'}
      </p>
      {mfa.required && <p className="text-muted">Your organization requires two-factor sign-in, so you can’t turn it off.</p>}
      <div className="flex flex-wrap gap-2">
        <Button autoFocus={isBack} onClick={() => onDo('renew')}>
          New recovery codes
        </Button>
        {!mfa.required && <Button onClick={() => onDo('disable')}>Turn off</Button>}
      </div>
    </>
  );
}

function Renew({ onCodes, onCancel }: { onCodes: (codes: string[]) => void; onCancel: () => void }) {
  const [renew] = useRenewRecoveryCodesMutation();
  const confirmPassword = async (current_password: string) => {
    const { data, error } = await renew({ current_password });
    if (data) onCodes(data.recovery_codes);
    return error;
  };
  return (
    <ConfirmPassword action="Generate new codes" onConfirm={confirmPassword} onCancel={onCancel}>
      <p>You’ll get new recovery codes. Your current ones stop working.</p>
    </ConfirmPassword>
  );
}

function Disable({ onDone }: { onDone: () => void }) {
  const [disable] = useDisableMfaMutation();
  const confirmPassword = async (current_password: string) => {
    const { error } = await disable({ current_password });
    if (error) return error;
    notify.success('Two-factor sign-in is off');
    onDone();
  };
  return (
    <ConfirmPassword action="Turn off" danger onConfirm={confirmPassword} onCancel={onDone}>
      <p>You’ll sign in with your password only. Your recovery codes stop working.</p>
    </ConfirmPassword>
  );
}

interface TwoFactorSectionProps {
  /** Opens with the first step of the setup. */
  setUp: boolean;
  /** Set if the user was redirected here for the setup: continues to the original destination. */
  onContinue: (() => void) | undefined;
}

export function TwoFactorSection({ setUp, onContinue }: TwoFactorSectionProps) {
  const { data: mfa, error, isFetching, refetch } = useReadMfaQuery();
  const [doing, setDoing] = useState<Doing | undefined>(setUp ? 'setup' : undefined);
  // The button of the last step no longer exists: move the focus to the first button of the section that replaces it.
  const [isBack, setBack] = useState(false);
  const stop = () => {
    setBack(true);
    setDoing(undefined);
  };
  const toCodes = (codes: string[]) => setDoing({ codes });
  const body = () => {
    // Check the codes first: they are shown only once, so no reload or failure may replace them.
    if (typeof doing === 'object') {
      return <RecoveryCodes codes={doing.codes} done={onContinue ? 'Continue' : 'Done'} onDone={onContinue ?? stop} />;
    }
    if (!mfa) {
      return error ? (
        <ErrorNote
          title="Couldn’t load two-factor sign-in"
          detail={messageOf(error, '')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton className="h-16 w-full" />
      );
    }
    if (!mfa.enabled) {
      return doing === 'setup' ? (
        <Suspense fallback={<Skeleton className="h-16 w-full" />}>
          <TwoFactorSetup onCodes={toCodes} onCancel={mfa.required ? undefined : stop} />
        </Suspense>
      ) : (
        <Off isBack={isBack} onSetUp={() => setDoing('setup')} />
      );
    }
    if (doing === 'renew') return <Renew onCodes={toCodes} onCancel={stop} />;
    if (doing === 'disable') return <Disable onDone={stop} />;
    return <On mfa={mfa} isBack={isBack} onDo={setDoing} />;
  };
  return (
    <Section title="Two-factor sign-in" actions={mfa && <Badge tone={mfa.enabled ? 'green' : 'gray'}>{mfa.enabled ? 'On' : 'Off'}</Badge>}>
      {body()}
    </Section>
  );
}
