import type { WebhookEndpoint } from '@tandem/contracts';
import { lazy, Suspense, useId, useState } from 'react';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { CodeBlock } from '../../../ui/CodeBlock';
import { Rich } from '../../../ui/Rich';
import { TabSet } from '../../../ui/Tabs';
import { verificationSnippets } from '../../../lib/verification-snippets';

const SignatureCheck = lazy(() => import('./SignatureCheck').then((module) => ({ default: module.SignatureCheck })));

/** Programs that verify the signature, filled in with the endpoint's id, and a check of a request that was refused. */
export function VerifyCard({ endpoint }: { endpoint: WebhookEndpoint }) {
  const id = useId();
  const [isChecking, setChecking] = useState(false);
  const [open, setOpen] = useState<string>('node');
  const tabs = verificationSnippets(endpoint.id).map(({ value, label, file, run, code }) => ({
    value,
    label,
    panel: (
      <>
        <p className="text-muted">
          <Rich text={t('settings.webhooks.save_it_as')} tags={{ file: () => <code className="font-mono text-ink">{file}</code> }} />
        </p>
        <CodeBlock label={t('settings.webhooks.verify_it_in_label', { label })} code={code} className="max-h-96 overflow-y-auto" />
        <CodeBlock label={t('settings.webhooks.run_it_in_label', { label })} code={run} />
      </>
    ),
  }));
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('settings.webhooks.verify_it')} />
      <div className="p-4">
        <p className="mb-3 text-muted">{t('settings.webhooks.how_requests_are_signed')}</p>
        <TabSet
          label={t('settings.webhooks.language')}
          tabs={tabs}
          value={open}
          onChange={setOpen}
          listClassName="mb-3"
          panelClassName="flex flex-col gap-3"
        />
        <section className="mt-4 border-t pt-4" aria-label={t('settings.webhooks.check_request')}>
          {isChecking ? (
            <Suspense fallback={<div className="h-96" />}>
              <SignatureCheck endpoint={endpoint} />
            </Suspense>
          ) : (
            <Button size="sm" onClick={() => setChecking(true)}>
              {t('settings.webhooks.check_request_that_was_refused')}
            </Button>
          )}
        </section>
      </div>
    </Card>
  );
}
