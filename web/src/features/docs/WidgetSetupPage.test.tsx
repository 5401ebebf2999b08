import { screen, waitFor } from '@testing-library/react';
import { backend, organization } from '../../testing/backend';
import { renderApp } from '../../testing/render';

const code = (name: string) => screen.findByRole('region', { name });

describe('/docs/widget-setup', () => {
  it('sends no request for signed-out visitors', async () => {
    renderApp('/docs/widget-setup');
    expect(await screen.findByRole('heading', { name: 'Widget setup' })).toBeInTheDocument();
    expect(await code('Basic Setup')).toHaveTextContent('data-organization="your-subdomain"');
    expect(backend.calls).toEqual([]);
  });

  it('prints the subdomain of the signed-in user’s organization', async () => {
    backend.signIn();
    renderApp('/docs/widget-setup');
    const basic = await code('Basic Setup');
    await waitFor(() => expect(basic).toHaveTextContent(`data-organization="${organization.subdomain}"`));
  });

  it('has a snippet with a copy button for each setup', async () => {
    const { person } = renderApp('/docs/widget-setup');
    await code('Basic Setup');
    await person.click(screen.getByRole('tab', { name: 'Customized' }));
    expect(await code('Customized')).toHaveTextContent('data-placeholder-message');
    await person.click(screen.getByRole('tab', { name: 'React Integration' }));
    expect(await code('React Integration')).toHaveTextContent("dataset.organization = 'your-subdomain'");
    await person.click(screen.getByRole('button', { name: 'Copy: React Integration' }));
    expect(await screen.findByText('Code copied to clipboard!')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toContain('useEffect');
  });

  it('lists the prerequisites and explains every attribute', async () => {
    renderApp('/docs/widget-setup');
    for (const text of [
      'Task-tool integration configured (required)',
      'Subdomain set (required)',
      'Custom domain (optional)',
      'data-organization',
      'data-theme',
      'data-color-primary',
      'data-color-secondary',
      'data-position',
      'data-trigger-text',
      'data-placeholder-subject',
      'data-placeholder-message',
      'data-lang',
      'data-field-…',
      'data-api-key',
    ])
      expect(await screen.findByText(text)).toBeInTheDocument();
  });
});
