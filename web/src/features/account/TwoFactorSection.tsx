import type { MfaState } from '@tandem/contracts';
import { lazy, Suspense, useState } from 'react';
import { notify } from '../../lib/notify';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { ErrorNote } from '../../ui/ErrorNote';
import { Rich } from '../../ui/Rich';
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
      <p className="text-muted">{t('account.what_two_factor_sign_in_adds')}</p>
      <Button autoFocus={isBack} variant="primary" className="self-start" onClick={onSetUp}>
        {t('account.set_up_two_factor_sign_in')}
      </Button>
    </>
  );
}

function On({ mfa, isBack, onDo }: { mfa: MfaState; isBack: boolean; onDo: (what: 'renew' | 'disable') => void }) {
  const { recovery_codes_left: left, enabled_at } = mfa;
  return (
    <>
      <p>
        {enabled_at ? (
          <Rich text={t('account.sign_in_requires_code_since')} tags={{ time: () => <Time iso={enabled_at} /> }} />
        ) : (
          t('account.sign_in_requires_code')
        )}
      </p>
      <p className={left < fewCodes ? 'font-medium text-amber-text' : 'text-muted'}>
        {left < fewCodes ? t('account.few_recovery_codes_are_left', { left }) : t('account.recovery_codes_are_left', { left })}
      </p>
      {mfa.required && <p className="text-muted">{t('account.two_factor_cant_be_turned_off')}</p>}
      <div className="flex flex-wrap gap-2">
        <Button autoFocus={isBack} onClick={() => onDo('renew')}>
          {t('account.new_recovery_codes')}
        </Button>
        {!mfa.required && <Button onClick={() => onDo('disable')}>{t('account.turn_off')}</Button>}
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
    <ConfirmPassword action={t('account.generate_new_codes')} onConfirm={confirmPassword} onCancel={onCancel}>
      <p>{t('account.what_new_recovery_codes_do')}</p>
    </ConfirmPassword>
  );
}

function Disable({ onDone }: { onDone: () => void }) {
  const [disable] = useDisableMfaMutation();
  const confirmPassword = async (current_password: string) => {
    const { error } = await disable({ current_password });
    if (error) return error;
    notify.success(t('account.two_factor_sign_in_is_off'));
    onDone();
  };
  return (
    <ConfirmPassword action={t('account.turn_off')} danger onConfirm={confirmPassword} onCancel={onDone}>
      <p>{t('account.what_turning_off_two_factor_does')}</p>
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
      return (
        <RecoveryCodes codes={doing.codes} done={onContinue ? t('account.continue') : t('account.done')} onDone={onContinue ?? stop} />
      );
    }
    if (!mfa) {
      return error ? (
        <ErrorNote
          title={t('account.couldnt_load_two_factor_sign_in')}
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
    <Section
      title={t('account.two_factor_sign_in')}
      actions={mfa && <Badge tone={mfa.enabled ? 'green' : 'gray'}>{mfa.enabled ? t('account.on') : t('account.off')}</Badge>}
    >
      {body()}
    </Section>
  );
}
