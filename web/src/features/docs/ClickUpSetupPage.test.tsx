import { screen } from '@testing-library/react';
import { backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';

const code = (name: string) => screen.findByRole('region', { name });

describe('/docs/clickup-setup', () => {
  it('is listed in the sidebar and sends no request', async () => {
    renderApp('/docs/clickup-setup');
    expect(await screen.findByRole('heading', { name: 'ClickUp setup' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'ClickUp setup' })).toHaveAttribute('aria-current', 'page');
    expect(backend.calls).toEqual([]);
  });

  it('shows the actual addresses and variables, each with a copy button', async () => {
    const { person } = renderApp('/docs/clickup-setup');
    expect(await code('Redirect URL')).toHaveTextContent('http://localhost/auth/callback/clickup');
    expect(await code('Webhook URL')).toHaveTextContent('http://localhost/api/v1/hooks/task-tool/clickup/');
    expect(await code('Environment variables')).toHaveTextContent('CLICKUP_CLIENT_ID=');
    expect(await code('Environment variables')).toHaveTextContent('CLICKUP_CLIENT_SECRET=');
    await person.click(screen.getByRole('button', { name: 'Copy: Redirect URL' }));
    expect(await screen.findByText('Code copied to clipboard!')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe('http://localhost/auth/callback/clickup');
  });

  it('explains how to connect and how to fix a broken connection', async () => {
    const { person } = renderApp('/docs/clickup-setup');
    await person.click(await screen.findByRole('tab', { name: 'Connect' }));
    expect(screen.getAllByRole('link', { name: 'Settings, Integrations' })[0]).toHaveAttribute('href', '/settings?tab=integrations');
    expect(screen.getByRole('heading', { name: 'Or with a personal token' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'If the connection is broken' })).toBeInTheDocument();
  });

  it('lists the default status mapping, and what is never sent to the task tool', async () => {
    const { person } = renderApp('/docs/clickup-setup');
    await person.click(await screen.findByRole('tab', { name: 'Configure' }));
    for (const row of ['Open Open To Do', 'Waiting for Customer Pending Review', 'Resolved Resolved Complete'])
      expect(screen.getByRole('row', { name: row })).toBeInTheDocument();
    expect(screen.getByText('Internal notes never leave the help desk.')).toBeInTheDocument();
  });
});
