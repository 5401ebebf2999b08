import { Configure } from './ClickUpConfigure';
import { Connect } from './ClickUpConnect';
import { OAuthApp } from './ClickUpOAuthApp';
import { DocsPage } from './DocsPage';
import { DocsTabs } from './DocsTabs';

/** /docs/clickup-setup */
export const ClickUpSetupPage = () => (
  <DocsPage name="clickup-setup">
    <DocsTabs
      label="ClickUp setup"
      tabs={[
        { value: 'oauth', label: 'Create an OAuth app', panel: <OAuthApp /> },
        { value: 'connect', label: 'Connect', panel: <Connect /> },
        { value: 'configure', label: 'Configure', panel: <Configure /> },
      ]}
    />
  </DocsPage>
);
