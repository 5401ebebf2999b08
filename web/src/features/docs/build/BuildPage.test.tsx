import { screen, within } from '@testing-library/react';
import { backend, organization } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';

const code = (name: string) => screen.findByLabelText(name);

describe('/docs/build', () => {
  it('leads from a token to a verified webhook, and sends no request for signed-out visitors', async () => {
    renderApp('/docs/build');
    expect(await screen.findByRole('heading', { name: 'Build with Tandem' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Build with Tandem' })).toHaveAttribute('aria-current', 'page');
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      '1. Create a token',
      '2. Send a request',
      '3. Create a ticket',
      '4. Receive its event',
      '5. Verify the signature',
      '6. Create an endpoint',
      '7. Continue',
    ]);
    expect(backend.calls).toEqual([]);
  });

  it('states the expected result of every step', async () => {
    renderApp('/docs/build');
    for (const id of ['token', 'first-request', 'create-ticket', 'receive', 'verify', 'endpoint', 'next']) {
      const step = await screen.findByText((_text, element) => element?.id === id);
      expect(within(step).getByText('You should see')).toBeInTheDocument();
    }
  });

  it('links to the settings that it needs', async () => {
    renderApp('/docs/build');
    const links = await screen.findAllByRole('link', { name: 'Settings, API' });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/settings?tab=api', '/settings?tab=api']);
    expect(screen.getByRole('link', { name: 'Settings, Webhooks' })).toHaveAttribute('href', '/settings?tab=webhooks');
  });

  it('has commands with the address of the signed-in user’s organization, and copies them', async () => {
    backend.signIn();
    const { person } = renderApp('/docs/build');
    const address = `http://${organization.subdomain}.localhost/api/v1/tickets`;
    await screen.findAllByText(new RegExp(`${organization.subdomain}\\.localhost`));
    expect(await code('First request')).toHaveTextContent(`curl "${address}?limit=1"`);
    expect(await code('Create a ticket')).toHaveTextContent(`curl -X POST "${address}"`);
    await person.click(screen.getByRole('button', { name: 'Copy: First request' }));
    expect(await screen.findByText('Code copied to clipboard!')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toContain('-H "Authorization: Bearer $TANDEM_TOKEN"');
  });

  it('connects the command and the assistant to the product’s own address', async () => {
    renderApp('/docs/build');
    expect(await code('Start the command')).toHaveTextContent(
      'tandem login --url http://localhost tandem listen --forward-to http://localhost:4000/hook',
    );
    expect(await code('Receiver')).toHaveTextContent('timingSafeEqual');
    expect(await code('Connect Claude Code')).toHaveTextContent(
      'claude mcp add --transport http tandem http://localhost/mcp --header "Authorization: Bearer tnd_live_…"',
    );
  });
});
