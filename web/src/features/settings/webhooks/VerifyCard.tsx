import { useId, useState } from 'react';
import { Card, CardHeader } from '../../../ui/Card';
import { CodeBlock } from '../../../ui/CodeBlock';
import { Tab, TabPanel, Tabs, TabsList } from '../../../ui/Tabs';
import { verificationSnippets } from '../../../lib/verification-snippets';

/** Programs that verify the signature, filled in with the endpoint's id. */
export function VerifyCard({ endpointId }: { endpointId: string }) {
  const id = useId();
  const snippets = verificationSnippets(endpointId);
  const [open, setOpen] = useState('node');
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title="Verify it" />
      <div className="p-4">
        <p className="mb-3 text-muted">
          Each request is signed as in Standard Webhooks. Check the signature before you trust the body, and answer with a 2xx status within
          15 seconds.
        </p>
        <Tabs value={open} onValueChange={setOpen}>
          <TabsList aria-label="Language" className="mb-3 max-w-full overflow-x-auto">
            {snippets.map(({ value, label }) => (
              <Tab key={value} value={value}>
                {label}
              </Tab>
            ))}
          </TabsList>
          {snippets.map(({ value, label, file, run, code }) => (
            <TabPanel key={value} value={value} className="flex flex-col gap-3">
              <p className="text-muted">
                Save it as <code className="font-mono text-ink">{file}</code>
              </p>
              <CodeBlock label={`Verify it in ${label}`} code={code} className="max-h-96 overflow-y-auto" />
              <CodeBlock label={`Run it in ${label}`} code={run} />
            </TabPanel>
          ))}
        </Tabs>
      </div>
    </Card>
  );
}
