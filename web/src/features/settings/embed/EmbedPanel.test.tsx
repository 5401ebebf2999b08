import type { WidgetSettings } from '@tandem/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { aSession, backend, organization } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';

let settings: WidgetSettings;
const saved: unknown[] = [];

beforeEach(() => {
  backend.signIn();
  settings = { allowed_sites: [], identity_required: false, has_secret: false, theme: 'auto' };
  saved.length = 0;
  server.use(
    http.get(api('/branding'), () => answer({ primary_color: '#AA3300', secondary_color: '#0033AA' })),
    http.get(api('/widget-settings'), () => answer(settings)),
    http.put(api('/widget-settings'), async ({ request }) => {
      const body = (await request.json()) as Partial<WidgetSettings>;
      saved.push(body);
      settings = { ...settings, ...body };
      return answer(settings);
    }),
    http.post(api('/widget-settings/rotate-secret'), () => answer({ secret: 'wsec_1234' })),
  );
});

const open = async () => {
  const app = renderApp('/settings?tab=embed');
  await screen.findByRole('region', { name: 'Widget snippet' });
  return app;
};
const snippet = () => screen.getByRole('region', { name: 'Widget snippet' });

describe('the snippet', () => {
  it('contains the organization’s subdomain, its colors and the default position', async () => {
    await open();
    expect(snippet()).toHaveTextContent('src="http://localhost/widget/v1/widget.js"');
    expect(snippet()).toHaveTextContent(`data-organization="${organization.subdomain}"`);
    expect(snippet()).toHaveTextContent('data-position="bottom-right"');
    await waitFor(() => expect(snippet()).toHaveTextContent('data-color-primary="#AA3300"'));
    expect(snippet()).toHaveTextContent('data-color-secondary="#0033AA"');
  });

  it('follows the options, escapes text and can be copied', async () => {
    const { person } = await open();
    await person.type(screen.getByLabelText('Trigger text'), 'Say "hi"');
    expect(snippet()).toHaveTextContent('data-trigger-text="Say &quot;hi&quot;"');
    await person.click(screen.getByRole('combobox', { name: 'Position' }));
    await person.click(await screen.findByRole('option', { name: 'Top left' }));
    await waitFor(() => expect(snippet()).toHaveTextContent('data-position="top-left"'));
    await person.click(screen.getByRole('button', { name: 'Copy: Widget snippet' }));
    expect(await screen.findByText('Copied to clipboard!')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(snippet().textContent);
  });

  it('omits the theme, which is saved for every site', async () => {
    settings.allowed_sites = ['https://www.example.com'];
    const { person } = await open();
    expect(snippet()).not.toHaveTextContent('data-theme');
    const theme = screen.getByRole('combobox', { name: 'Theme' });
    await waitFor(() => expect(theme).toBeEnabled());
    await person.click(theme);
    await person.click(await screen.findByRole('option', { name: 'Dark' }));
    expect(await screen.findByText('Theme saved')).toBeInTheDocument();
    expect(saved).toEqual([{ allowed_sites: ['https://www.example.com'], identity_required: false, theme: 'dark' }]);
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Theme' })).toHaveTextContent('Dark'));
  });

  it('shows the sources that a strict site must allow', async () => {
    await open();
    expect(screen.getByRole('region', { name: 'Content-Security-Policy' })).toHaveTextContent(
      'script-src http://localhost; frame-src http://localhost',
    );
  });

  it('requires a subdomain', async () => {
    const session = aSession(backend.me);
    backend.signIn({ ...session, organization: { ...session.organization!, subdomain: null } });
    renderApp('/settings?tab=embed');
    expect(await screen.findByRole('link', { name: /organization settings/ })).toHaveAttribute('href', '/organization-settings');
    expect(screen.queryByRole('region', { name: 'Widget snippet' })).not.toBeInTheDocument();
  });
});

describe('the sites', () => {
  it('are saved with the other settings', async () => {
    settings.identity_required = true;
    const { person } = await open();
    await person.type(await screen.findByLabelText('Sites that may show the widget'), 'https://www.example.com{Enter}');
    await person.click(screen.getByRole('button', { name: 'Save sites' }));
    expect(await screen.findByText('Allowed sites saved')).toBeInTheDocument();
    expect(saved).toEqual([{ allowed_sites: ['https://www.example.com'], identity_required: true }]);
  });

  it('that are invalid are shown', async () => {
    const message = 'Use an address like https://www.example.com';
    const errors = [{ path: 'allowed_sites.0', code: 'invalid_format', message }];
    server.use(http.put(api('/widget-settings'), () => refuse('request.invalid', { errors })));
    const { person } = await open();
    await person.type(await screen.findByLabelText('Sites that may show the widget'), 'example{Enter}');
    await person.click(screen.getByRole('button', { name: 'Save sites' }));
    expect(await screen.findByText(`example: ${message}`)).toBeInTheDocument();
  });

  it('offer a retry if they cannot be loaded', async () => {
    server.use(http.get(api('/widget-settings'), () => refuse('limit.exceeded'), { once: true }));
    const { person } = await open();
    await person.click(await screen.findByRole('button', { name: 'Try Again' }));
    expect(await screen.findByLabelText('Sites that may show the widget')).toBeInTheDocument();
  });
});

describe('the secret', () => {
  const required = () => screen.findByRole('switch', { name: /Require verified visitors/ });

  it('is shown once and enables requiring verified visitors', async () => {
    const { person } = await open();
    expect(await required()).toBeDisabled();
    await person.click(screen.getByRole('button', { name: 'Generate secret' }));
    expect(await screen.findByRole('region', { name: 'Secret' })).toHaveTextContent('wsec_1234');
    await waitFor(async () => expect(await required()).toBeEnabled());
    await person.click(await required());
    await waitFor(() => expect(saved).toEqual([{ allowed_sites: [], identity_required: true }]));
  });

  it('is replaced only after a confirmation', async () => {
    settings.has_secret = true;
    const { person } = await open();
    await person.click(await screen.findByRole('button', { name: 'Generate new secret' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog).toHaveTextContent('stop working immediately');
    await person.click(within(dialog).getByRole('button', { name: 'Generate new secret' }));
    expect(await screen.findByText('wsec_1234')).toBeInTheDocument();
  });

  it.each(['Node.js', 'PHP', 'Python'])('comes with a sample in %s', async (language) => {
    const { person } = await open();
    await person.click(await screen.findByRole('tab', { name: language }));
    expect(screen.getByRole('region', { name: `Token in ${language}` })).toHaveTextContent('TANDEM_WIDGET_SECRET');
  });
});
