import { apiTokenRules } from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { docsLink, DocsSection, SettingsLink } from '../DocsSection';

const Guide = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className={docsLink}>
    {children}
  </Link>
);

export const Integrations = () => (
  <>
    <DocsSection title="Task tools">
      <p>
        In <SettingsLink section="integrations" />, connect ClickUp or GitHub Issues. Each ticket becomes a task or an issue, and both stay
        in sync. <Guide to="/docs/clickup-setup">ClickUp setup</Guide> describes the connection, the mapping and conflicts.
      </p>
      <p>
        A new ticket goes to the first list whose rules it matches. Lists with rules come before lists for all tickets, and you can change
        their order.
      </p>
    </DocsSection>
    <DocsSection title="Website widget">
      <p>
        <SettingsLink section="embed" /> has the snippet for your website, the sites that may show it, and the verification of visitors.{' '}
        <Guide to="/docs/widget-setup">Widget setup</Guide> explains all attributes.
      </p>
    </DocsSection>
    <DocsSection title="API tokens">
      <p>
        Programs use the API with a token from <SettingsLink section="api" />. Give each program its own token with only the permissions
        that it needs. All administrators get an email about a new token. To replace one without downtime, rotate it: the old value stays
        valid for up to {apiTokenRules.maxOverlapHours} hours.
      </p>
      <p>
        <Guide to="/docs/build">Build with Tandem</Guide> shows the first steps, and the{' '}
        <Guide to="/docs/api-reference?tab=rest">API reference</Guide> documents the calls.
      </p>
    </DocsSection>
    <DocsSection title="Webhooks">
      <p>
        An endpoint in <SettingsLink section="webhooks" /> receives a signed request when a ticket changes. Failed requests are retried for
        76 hours. The <Guide to="/docs/api-reference?tab=webhooks">reference</Guide> lists the events and shows how to verify signatures.
      </p>
    </DocsSection>
    <DocsSection title="AI assistants">
      <p>
        Assistants work with your tickets through the Model Context Protocol, as far as the permissions of their token allow.{' '}
        <Guide to="/docs/build#next">Connect an assistant</Guide> with its own token.
      </p>
    </DocsSection>
  </>
);
