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
        <p className="text-muted">
          Your site can say who its visitor is. They then need not type their address, and your team sees that it is really them.
        </p>
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
    else notify.success(identity_required ? 'Visitors must be known from now on' : 'Anybody may write again');
  };
  return (
    <>
      <Secret hasSecret={settings.has_secret} />
      <Switch
        label="Only visitors whom your site vouches for may write"
        checked={settings.identity_required}
        // Without a secret no visitor could be identified, so no visitor could write.
        disabled={isLoading || (!settings.has_secret && !settings.identity_required)}
        onChange={(checked) => void require(checked)}
      />
      <div>
        <p className="mb-1.5 font-medium">1. Your server makes a token for whoever is signed in</p>
        <TokenSamples />
      </div>
      <div>
        <p className="mb-1.5 font-medium">2. Your page hands it to the widget</p>
        <CodeBlock label="Identify the visitor" code={identifySnippet} />
      </div>
    </>
  );
}

function Secret({ hasSecret }: { hasSecret: boolean }) {
  const [asked, setAsked] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [rotate, { isLoading }] = useRotateWidgetSecretMutation();
  const make = async () => {
    const answer = await rotate();
    setAsked(false);
    if (answer.error) notify.problem(answer.error, 'Failed to make a secret');
    else setSecret(answer.data.secret);
  };
  return (
    <>
      {secret && (
        <div className="flex flex-col gap-1.5">
          <Alert tone="success">This is your secret. Store it on your server now: it is not shown again.</Alert>
          <CodeBlock label="Secret" code={secret} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={isLoading} onClick={() => (hasSecret ? setAsked(true) : void make())}>
          {hasSecret ? 'Make a new secret' : 'Make a secret'}
        </Button>
        {hasSecret && !secret && <span className="text-muted">There is a secret. It cannot be shown again.</span>}
      </div>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title="Make a new secret?"
        description="Tokens that are signed with the present one stop working at once."
        action="Make a new secret"
        busy={isLoading}
        onConfirm={() => void make()}
      />
    </>
  );
}
