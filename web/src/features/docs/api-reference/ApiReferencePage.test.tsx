import { webhookEventTypes, tokenPermissionNames } from '@tandem/contracts/values';
import { screen, within } from '@testing-library/react';
import { backend, organization } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { calls } from './calls';

/** Found by its label, because a search by role takes seconds on a page this long. */
const code = (name: string) => screen.findByLabelText(name);

describe('/docs/api-reference', () => {
  it('starts with the widget, and sends no request for signed-out visitors', async () => {
    renderApp('/docs/api-reference');
    expect(await screen.findByRole('heading', { name: 'API reference' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'API reference' })).toHaveAttribute('aria-current', 'page');
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Widget API', 'REST API', 'Webhooks', 'Rate Limits']);
    expect(await code('Widget')).toHaveTextContent('data-organization="your-subdomain"');
    expect(screen.getByRole('row', { name: /^data-theme light, dark, auto/ })).toBeInTheDocument();
    expect(await code('Widget with a custom field')).toHaveTextContent('data-field-order-number="48213"');
    expect(backend.calls).toEqual([]);
  });

  it('documents each call with a sample per language and a response', async () => {
    const { person, address } = renderApp('/docs/api-reference');
    await person.click(await screen.findByRole('tab', { name: 'REST API' }));
    expect(address()).toBe('/docs/api-reference?tab=rest');
    expect(await code('Base URL')).toHaveTextContent('http://your-subdomain.localhost/api/v1');
    for (const { id, title } of calls) {
      expect(await code(`${title} in curl`)).toHaveTextContent('Authorization: Bearer $TANDEM_TOKEN');
      expect(await code(`Response: ${title}`)).toHaveTextContent('"success": true');
      expect(within(screen.getByRole('article')).getByText(title)).toHaveAttribute('href', `/docs/api-reference?tab=rest#${id}`);
    }
    const permissions = within(screen.getByRole('table', { name: 'Permissions of a token' }));
    for (const name of tokenPermissionNames) expect(permissions.getByText(name)).toBeInTheDocument();
  });

  it('shows all samples in the chosen language and copies them', async () => {
    const { person } = renderApp('/docs/api-reference?tab=rest');
    const tabs = await screen.findByRole('tablist', { name: 'Language: Read a ticket' });
    await person.click(within(tabs).getByRole('tab', { name: 'Python' }));
    for (const { title } of calls) expect(await code(`${title} in Python`)).toHaveTextContent('import json, os, urllib.request');
    await person.click(screen.getByRole('button', { name: 'Copy: Read a ticket in Python' }));
    expect(await screen.findByText('Code copied to clipboard!')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toContain('method="GET"');
  });

  it('uses the address of the signed-in user’s organization', async () => {
    backend.signIn();
    renderApp('/docs/api-reference?tab=rest');
    expect(await screen.findByText(`http://${organization.subdomain}.localhost/api/v1`)).toBeInTheDocument();
  });

  it('documents events, signatures and retries', async () => {
    const { person } = renderApp('/docs/api-reference?tab=webhooks');
    const events = await screen.findByRole('table', { name: 'Events' });
    for (const name of webhookEventTypes) expect(within(events).getByText(name)).toBeInTheDocument();
    expect(await code('Body of an event')).toHaveTextContent('"event": "ticket.created"');
    expect(await code('Verify in Node')).toHaveTextContent('timingSafeEqual');
    await person.click(screen.getByRole('tab', { name: 'Go' }));
    expect(await code('Verify in Go')).toHaveTextContent('hmac.Equal');
    const rows = within(screen.getByRole('table', { name: 'Attempts' })).getAllByRole('row');
    expect([rows[1], rows[2], rows.at(-1)].map((row) => row?.textContent)).toEqual([
      '1immediatelyimmediately',
      '25 s5 s',
      '1224 h75 h 42 min',
    ]);
  });

  it('lists the limits and their headers', async () => {
    renderApp('/docs/api-reference?tab=limits');
    for (const name of [
      'Widget API 100 per minute organization',
      'REST API 1,000 per minute API token, from all addresses together',
      'Webhook delivery 500 per minute endpoint; further events wait, and none is lost',
    ])
      expect(await screen.findByRole('row', { name })).toBeInTheDocument();
    expect(await code('Response over the limit')).toHaveTextContent('"code": "limit.exceeded"');
  });

  it('scrolls to the section in the address', async () => {
    const scrollIntoView = jest.spyOn(Element.prototype, 'scrollIntoView');
    renderApp('/docs/api-reference?tab=webhooks#retries');
    await screen.findByRole('heading', { name: 'Retries' });
    expect(scrollIntoView.mock.contexts.map((element) => (element as Element).id)).toContain('retries');
  });
});
