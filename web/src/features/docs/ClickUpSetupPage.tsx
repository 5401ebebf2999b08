import { useState, type ReactNode } from 'react';
import { useDocumentTitle } from '../../ui/PageHeader';
import { Tab, TabPanel, Tabs, TabsList } from '../../ui/Tabs';
import { Configure } from './ClickUpConfigure';
import { Connect } from './ClickUpConnect';
import { OAuthApp } from './ClickUpOAuthApp';

const tabs: { value: string; label: string; panel: ReactNode }[] = [
  { value: 'oauth', label: 'Create an OAuth app', panel: <OAuthApp /> },
  { value: 'connect', label: 'Connect', panel: <Connect /> },
  { value: 'configure', label: 'Configure', panel: <Configure /> },
];

/** /docs/clickup-setup */
export function ClickUpSetupPage() {
  const [open, setOpen] = useState('oauth');
  useDocumentTitle('ClickUp setup');
  return (
    <article className="text-pretty [&_code]:font-mono [&_li_code]:text-md [&_p_code]:text-md">
      <h1 className="text-2xl tracking-tight">ClickUp setup</h1>
      <p className="mt-2 text-muted">
        Each ticket becomes a task in a ClickUp list, and both stay in sync. Your support team works in Tandem, everyone else in ClickUp.
      </p>
      <Tabs value={open} onValueChange={setOpen} className="mt-6">
        <TabsList aria-label="ClickUp setup" className="max-w-full overflow-x-auto text-md">
          {tabs.map(({ value, label }) => (
            <Tab key={value} value={value}>
              {label}
            </Tab>
          ))}
        </TabsList>
        {tabs.map(({ value, panel }) => (
          <TabPanel key={value} value={value}>
            {panel}
          </TabPanel>
        ))}
      </Tabs>
    </article>
  );
}
