import type { WidgetSettings } from '@tandem/contracts';
import { useId, useState } from 'react';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { identifySnippet } from '../../../lib/widget-snippet';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { CodeBlock } from '../../../ui/CodeBlock';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { Skeleton } from '../../../ui/Skeleton';
import { Switch } from '../../../ui/Switch';
import { TokenSamples } from '../../../ui/TokenSamples';
import { useReadWidgetSettingsQuery, useRotateWidgetSecretMutation, useSaveWidgetSettingsMutation } from './widget.api';

/** A site can identify its visitors with tokens that are signed with a secret of the organization. */
export function VisitorIdentity() {
  const id = useId();
  // If the settings cannot be read, the card above shows the error and a retry button.
  const { data: settings } = useReadWidgetSettingsQuery();
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('settings.embed.identity_verification')} />
      <div className="flex flex-col gap-4 p-4">
        <p className="text-muted">{t('settings.embed.what_visitor_identity_does')}</p>
        {settings ? <Identity settings={settings} /> : <Skeleton className="h-24" />}
      </div>
    </Card>
  );
}

function Identity({ settings }: { settings: WidgetSettings }) {
  const [save, { isLoading }] = useSaveWidgetSettingsMutation();
  const require = async (identity_required: boolean) => {
    const answer = await save({ allowed_sites: settings.allowed_sites, identity_required });
    if (answer.error) notify.problem(answer.error, t('settings.embed.failed_to_save_setting'));
    else
      notify.success(
        identity_required ? t('settings.embed.visitors_must_now_be_verified') : t('settings.embed.unverified_visitors_can_write_again'),
      );
  };
  return (
    <>
      <Secret hasSecret={settings.has_secret} />
      <Switch
        label={t('settings.embed.require_verified_visitors')}
        checked={settings.identity_required}
        // Without a secret no visitor could be identified, so no visitor could write.
        disabled={isLoading || (!settings.has_secret && !settings.identity_required)}
        onChange={(checked) => void require(checked)}
      />
      <div>
        <p className="mb-1.5 font-medium">{t('settings.embed.step_server_creates_token')}</p>
        <TokenSamples />
      </div>
      <div>
        <p className="mb-1.5 font-medium">{t('settings.embed.step_page_passes_token')}</p>
        <CodeBlock label={t('settings.embed.identify_visitor')} code={identifySnippet} />
      </div>
    </>
  );
}

function Secret({ hasSecret }: { hasSecret: boolean }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [rotate, { isLoading }] = useRotateWidgetSecretMutation();
  const make = async () => {
    const answer = await rotate();
    setIsConfirming(false);
    if (answer.error) notify.problem(answer.error, t('settings.embed.failed_to_generate_secret'));
    else setSecret(answer.data.secret);
  };
  return (
    <>
      {secret && (
        <div className="flex flex-col gap-1.5">
          <Alert tone="success">{t('settings.embed.store_your_secret')}</Alert>
          <CodeBlock label={t('settings.embed.secret')} code={secret} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={isLoading} onClick={() => (hasSecret ? setIsConfirming(true) : void make())}>
          {hasSecret ? t('settings.embed.generate_new_secret') : t('settings.embed.generate_secret')}
        </Button>
        {hasSecret && !secret && <span className="text-muted">{t('settings.embed.secret_is_set')}</span>}
      </div>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title={t('settings.embed.confirm_generate_new_secret')}
        description={t('settings.embed.tokens_signed_with_current_secret')}
        action={t('settings.embed.generate_new_secret')}
        busy={isLoading}
        onConfirm={() => void make()}
      />
    </>
  );
}
