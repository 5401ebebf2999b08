import { useState } from 'react';
import { t } from '../lib/staff-texts';
import { tokenSamples } from '../lib/widget-snippet';
import { CodeBlock } from './CodeBlock';
import { TabSet } from './Tabs';

/** Sample code in common languages for a server that signs the token which identifies a visitor. */
export function TokenSamples({ copiedMessage }: { copiedMessage?: string }) {
  const [open, setOpen] = useState<string>('node');
  const tabs = tokenSamples.map(({ value, label, code }) => ({
    value,
    label,
    panel: <CodeBlock label={t('ui.token_in_language', { language: label })} code={code} {...(copiedMessage ? { copiedMessage } : {})} />,
  }));
  return <TabSet label={t('ui.language')} tabs={tabs} value={open} onChange={setOpen} listClassName="mb-2" />;
}
