import { useState } from 'react';
import { tokenSamples } from '../lib/widget-snippet';
import { CodeBlock } from './CodeBlock';
import { Tab, TabPanel, Tabs, TabsList } from './Tabs';

/** Sample code in common languages for a server that signs the token which identifies a visitor. */
export function TokenSamples({ copiedMessage }: { copiedMessage?: string }) {
  const [open, setOpen] = useState('node');
  return (
    <Tabs value={open} onValueChange={setOpen}>
      <TabsList aria-label="Language" className="mb-2">
        {tokenSamples.map(({ value, label }) => (
          <Tab key={value} value={value}>
            {label}
          </Tab>
        ))}
      </TabsList>
      {tokenSamples.map(({ value, label, code }) => (
        <TabPanel key={value} value={value}>
          <CodeBlock label={`Token in ${label}`} code={code} {...(copiedMessage ? { copiedMessage } : {})} />
        </TabPanel>
      ))}
    </Tabs>
  );
}
