import type { WidgetSettings } from '@tandem/contracts';
import { useId, useState } from 'react';
import { notify } from '../../../lib/notify';
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
      <CardHeader id={id} title="Identity verification" />
      <div className="flex flex-col gap-4 p-4">
        <p className="text-muted">Sign visitors in automatically and verify who they are.</p>
        {settings ? <Identity settings={settings} /> : <Skeleton className="h-24" />}
      </div>
    </Card>
  );
}

function Identity({ settings }: { settings: WidgetSettings }) {
  const [save, { isLoading }] = useSaveWidgetSettingsMutation();
  const require = async (identity_required: boolean) => {
    const answer = await save({ allowed_sites: settings.allowed_sites, identity_required });
    if (answer.error) notify.problem(answer.error, 'Failed to save the setting');
    else notify.success(identity_required ? 'Visitors must now be verified' : 'Unverified visitors can write again');
  };
  return (
    <>
      <Secret hasSecret={settings.has_secret} />
      <Switch
        label="Require verified visitors"
        checked={settings.identity_required}
        // Without a secret no visitor could be identified, so no visitor could write.
        disabled={isLoading || (!settings.has_secret && !settings.identity_required)}
        onChange={(checked) => void require(checked)}
      />
      <div>
        <p className="mb-1.5 font-medium">1. Your server creates a token for the signed-in visitor</p>
        <TokenSamples />
      </div>
      <div>
        <p className="mb-1.5 font-medium">2. Your page passes it to the widget</p>
        <CodeBlock label="Identify the visitor" code={identifySnippet} />
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
    if (answer.error) notify.problem(answer.error, 'Failed to generate a secret');
    else setSecret(answer.data.secret);
  };
  return (
    <>
      {secret && (
        <div className="flex flex-col gap-1.5">
          <Alert tone="success">This is your secret. Store it on your server now. It won’t be shown again.</Alert>
          <CodeBlock label="Secret" code={secret} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={isLoading} onClick={() => (hasSecret ? setIsConfirming(true) : void make())}>
          {hasSecret ? 'Generate new secret' : 'Generate secret'}
        </Button>
        {hasSecret && !secret && <span className="text-muted">A secret is set. For security it can’t be shown again.</span>}
      </div>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title="Generate a new secret?"
        description="Tokens signed with the current secret stop working immediately."
        action="Generate new secret"
        busy={isLoading}
        onConfirm={() => void make()}
      />
    </>
  );
}
