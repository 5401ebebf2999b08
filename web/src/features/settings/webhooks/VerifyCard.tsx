import type { WebhookEndpoint } from '@tandem/contracts';
import { lazy, Suspense, useId, useState } from 'react';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { CodeBlock } from '../../../ui/CodeBlock';
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
          Save it as <code className="font-mono text-ink">{file}</code>
        </p>
        <CodeBlock label={`Verify it in ${label}`} code={code} className="max-h-96 overflow-y-auto" />
        <CodeBlock label={`Run it in ${label}`} code={run} />
      </>
    ),
  }));
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title="Verify it" />
      <div className="p-4">
        <p className="mb-3 text-muted">
          Each request is signed according to Standard Webhooks. Check the signature before you trust the body, and answer with a 2xx status
          within 15 seconds.
        </p>
        <TabSet label="Language" tabs={tabs} value={open} onChange={setOpen} listClassName="mb-3" panelClassName="flex flex-col gap-3" />
        <section className="mt-4 border-t pt-4" aria-label="Check a request">
          {isChecking ? (
            <Suspense fallback={<div className="h-96" />}>
              <SignatureCheck endpoint={endpoint} />
            </Suspense>
          ) : (
            <Button size="sm" onClick={() => setChecking(true)}>
              Check a request that was refused
            </Button>
          )}
        </section>
      </div>
    </Card>
  );
}
