import { useId, useState } from 'react';
import { Card, CardHeader } from '../../../ui/Card';
import { CodeBlock } from '../../../ui/CodeBlock';
import { TabSet } from '../../../ui/Tabs';
import { verificationSnippets } from '../../../lib/verification-snippets';

/** Programs that verify the signature, filled in with the endpoint's id. */
export function VerifyCard({ endpointId }: { endpointId: string }) {
  const id = useId();
  const [open, setOpen] = useState<string>('node');
  const tabs = verificationSnippets(endpointId).map(({ value, label, file, run, code }) => ({
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
          Each request is signed as in Standard Webhooks. Check the signature before you trust the body, and answer with a 2xx status within
          15 seconds.
        </p>
        <TabSet label="Language" tabs={tabs} value={open} onChange={setOpen} listClassName="mb-3" panelClassName="flex flex-col gap-3" />
      </div>
    </Card>
  );
}
