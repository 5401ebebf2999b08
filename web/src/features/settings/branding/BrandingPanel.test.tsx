import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Branding } from '@tandem/contracts';
import { http } from 'msw';
import { dropUnsentWork } from '../../../lib/session-cleanup';
import { anId, backend, organization } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';

const record = { name: '_tandem.support.northwind.example', value: 'tandem-verification=abc' };
let saved: Branding;
let sent: unknown[];

// Drops the draft, which is kept in module state, as the end of a session does.
afterEach(dropUnsentWork);
beforeEach(() => {
  backend.signIn();
  sent = [];
  saved = {
    organization_id: organization.id,
    primary_color: '#3B82F6',
    secondary_color: '#8B5CF6',
    logo_url: null,
    favicon_url: null,
    custom_css: '',
    hide_powered_by: false,
    custom_domain: null,
    custom_domain_verified: false,
    custom_domain_record: null,
    custom_domain_missing_since: null,
    email_template_header: '',
    email_templates: {},
    email_template_footer: '',
    updated_at: null,
  };
  server.use(
    http.get(api('/branding'), () => answer(saved)),
    http.put(api('/branding'), async ({ request }) => {
      const body = (await request.json()) as Partial<Branding>;
      sent.push({ ...body });
      if ('custom_domain' in body) body.custom_domain_record = body.custom_domain ? record : null;
      if (body.email_template_header) body.email_template_header = body.email_template_header.replace(/<script>.*<\/script>/, '');
      return answer((saved = { ...saved, ...body }));
    }),
    http.post(api('/branding/assets'), async ({ request }) => {
      sent.push(await request.json());
      return answer({ url: `/api/v1/public/branding-assets/${anId()}` }, { status: 201 });
    }),
    http.post(api('/branding/custom-domain/verify'), () => answer((saved = { ...saved, custom_domain_verified: true }))),
  );
});

const open = async () => {
  const view = renderApp('/settings?tab=branding');
  await screen.findByRole('heading', { name: 'Custom domain' });
  const type = (label: RegExp | string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  return { ...view, type, press: (name: string) => view.person.click(screen.getByRole('button', { name })) };
};
const primary = () => screen.getByLabelText('Primary color');

describe('colors', () => {
  it('are saved without other fields', async () => {
    const { type, press } = await open();
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
    type('Primary color', '#112233');
    expect(screen.getByText('Unsaved: Primary color')).toBeInTheDocument();
    await press('Save');
    expect(await screen.findByText('Branding settings saved successfully.')).toBeInTheDocument();
    expect(sent).toEqual([{ primary_color: '#112233' }]);
    expect(screen.queryByText(/^Unsaved/)).not.toBeInTheDocument();
  });

  it('that are chosen while others are being saved stay unsaved', async () => {
    const { type, press } = await open();
    let respond = () => undefined as void;
    const responded = new Promise<void>((resolve) => (respond = resolve));
    server.use(
      http.put(api('/branding'), async ({ request }) => {
        const body = (await request.json()) as Partial<Branding>;
        await responded;
        return answer((saved = { ...saved, ...body }));
      }),
    );
    type('Primary color', '#112233');
    type('Secondary color', '#445566');
    await press('Save');
    type('Primary color', '#778899');
    respond();
    expect(await screen.findByText('Branding settings saved successfully.')).toBeInTheDocument();
    expect(screen.getByText('Unsaved: Primary color')).toBeInTheDocument();
    expect(primary()).toHaveValue('#778899');
  });

  it('preview a button as on the pages, and explain adjustments for contrast', async () => {
    const { type } = await open();
    expect(screen.getAllByText('We adjust the shade so text stays readable.')).toHaveLength(2);
    type('Primary color', '#112233');
    expect(screen.getByText('Preview of a button in this color.')).toBeInTheDocument();
  });

  it('are not saved while invalid', async () => {
    const { type } = await open();
    type('Primary color', 'blue');
    expect(primary()).toHaveAccessibleDescription(/Use a color like #3B82F6/);
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  });

  it('can be reset to the saved or the default ones', async () => {
    saved.primary_color = '#112233';
    const { type, press } = await open();
    type('Primary color', '#445566');
    await press('Discard');
    expect(primary()).toHaveValue('#112233');
    await press('Reset the primary color');
    expect(primary()).toHaveValue('#3B82F6');
  });
});

describe('input that could not be saved', () => {
  it('is kept and shown with the field’s error', async () => {
    const message = 'Line 1: unclosed block';
    server.use(http.put(api('/branding'), () => refuse('request.invalid', { errors: [{ path: 'custom_css', code: 'custom', message }] })));
    const { type, press } = await open();
    type(/^Custom CSS/, '.a{');
    await press('Save');
    expect(await screen.findByText('Failed to save branding settings.')).toBeInTheDocument();
    const field = screen.getByLabelText(/^Custom CSS/);
    expect(field).toHaveValue('.a{');
    expect(field).toHaveAccessibleDescription(new RegExp(message));
  });

  it('survives opening other settings', async () => {
    const { type, person } = await open();
    type(/^Custom CSS/, '.a{color:red}');
    await person.click(screen.getByRole('link', { name: 'Session log' }));
    await person.click(screen.getByRole('link', { name: 'Branding' }));
    expect(await screen.findByLabelText(/^Custom CSS/)).toHaveValue('.a{color:red}');
    expect(screen.getByText('Unsaved: Custom CSS')).toBeInTheDocument();
  });
});

it('previews unsaved colors and the hidden note on portal, widget and email, in both color schemes', async () => {
  const { type, person } = await open();
  const preview = within(screen.getByRole('region', { name: 'Preview' }));
  const colors = () => (preview.getByText('View ticket').closest('[data-theme]') as HTMLElement).style;
  type('Primary color', '#112233');
  expect(colors().getPropertyValue('--accent')).toBe('#112233');
  expect(colors().getPropertyValue('--accent-ink')).toBe('#ffffff');
  expect(preview.getAllByText('Powered by Tandem')).toHaveLength(2);
  await person.click(screen.getByRole('switch', { name: /Powered by/ }));
  expect(preview.queryByText('Powered by Tandem')).not.toBeInTheDocument();
  await person.click(preview.getByRole('tab', { name: 'Dark' }));
  expect(preview.getByText('View ticket').closest('[data-theme]')).toHaveAttribute('data-theme', 'dark');
});

describe('logo and icon', () => {
  const choose = (label: string, file: File) => fireEvent.change(screen.getByLabelText(`${label} file`), { target: { files: [file] } });

  it('are uploaded, shown, saved and removed', async () => {
    const { press } = await open();
    choose('Logo', new File([Uint8Array.of(1, 2, 3)], 'logo.png', { type: 'image/png' }));
    const logo = await screen.findByRole('img', { name: 'Organization logo' });
    expect(sent).toEqual([{ content: 'AQID' }]);
    await press('Save');
    await waitFor(() => expect(sent[1]).toEqual({ logo_url: logo.getAttribute('src') }));
    await press('Remove logo');
    await press('Save');
    await waitFor(() => expect(sent[2]).toEqual({ logo_url: null }));
  });

  it('are rejected by the browser if too large, and by the server if not images', async () => {
    await open();
    choose('Icon', new File([new Uint8Array(512 * 1024 + 1)], 'icon.png'));
    expect(await screen.findByText('Use a PNG, JPEG, GIF, WebP or ICO image of at most 512 KB')).toBeInTheDocument();
    expect(sent).toEqual([]);
    server.use(http.post(api('/branding/assets'), () => refuse('branding.asset_refused')));
    choose('Icon', new File(['<svg/>'], 'icon.png'));
    expect(await screen.findByText(/^Failed to upload the icon/)).toBeInTheDocument();
  });
});

describe('email header and footer', () => {
  it('are previewed in a sandboxed frame', async () => {
    const { type } = await open();
    type(/^Email header/, '<h1>Northwind</h1><script>alert(1)</script>');
    const preview = screen.getByTitle('Email preview');
    expect(preview).toHaveAttribute('sandbox', '');
    expect(preview).toHaveAttribute('srcdoc', expect.stringContaining('<h1>Northwind</h1>'));
    expect(preview).toHaveAttribute('srcdoc', expect.stringContaining("default-src 'none'"));
  });

  it('show that unsupported HTML was removed', async () => {
    const { type, press } = await open();
    type(/^Email header/, '<p>Hello</p><script>alert(1)</script>');
    await press('Save');
    expect(await screen.findByText('We removed unsupported HTML.')).toBeInTheDocument();
    expect(screen.getByLabelText(/^Email header/)).toHaveValue('<p>Hello</p>');
  });
});

describe('the custom domain', () => {
  it('is saved, shows its record to copy, and is verified', async () => {
    const { type, press } = await open();
    type(/^Domain/, ' Support.Northwind.example');
    await press('Save domain');
    expect(await screen.findByText(record.name)).toBeInTheDocument();
    expect(sent).toEqual([{ custom_domain: 'support.northwind.example' }]);
    await press('Copy the value');
    expect(await navigator.clipboard.readText()).toBe(record.value);
    await press('Verify');
    const card = within(screen.getByRole('region', { name: 'Custom domain' }));
    expect(await card.findByText('Verified')).toBeInTheDocument();
    expect(screen.queryByText(record.name)).not.toBeInTheDocument();
  });

  it('shows that the record was not found yet, and checks again', async () => {
    saved = { ...saved, custom_domain: 'support.northwind.example', custom_domain_record: record };
    server.use(http.post(api('/branding/custom-domain/verify'), () => refuse('custom_domain.not_verified'), { once: true }));
    const { press } = await open();
    await press('Verify');
    expect(await screen.findByText(/^DNS record not found yet/)).toBeInTheDocument();
    await press('Verify');
    expect(await screen.findByText('Verified')).toBeInTheDocument();
  });

  it('shows that its record is missing with the deadlines, and can be verified again', async () => {
    const domain = { custom_domain: 'support.northwind.example', custom_domain_record: record };
    saved = { ...saved, ...domain, custom_domain_verified: true, custom_domain_missing_since: '2026-11-20T10:00:00.000Z' };
    server.use(
      http.post(api('/branding/custom-domain/verify'), () =>
        answer((saved = { ...saved, custom_domain_verified: true, custom_domain_missing_since: null })),
      ),
    );
    const { press } = await open();
    const card = within(screen.getByRole('region', { name: 'Custom domain' }));
    expect(card.getByText('The DNS record has been missing since Nov 20, 2026.')).toBeInTheDocument();
    expect(card.getByText(/Add it again before Nov 23, 2026, or links will use your subdomain\./)).toBeInTheDocument();
    expect(card.queryByText('Verified')).not.toBeInTheDocument();
    await press('Verify');
    expect(await card.findByText('Verified')).toBeInTheDocument();
    expect(card.queryByText(/has been missing/)).not.toBeInTheDocument();
  });

  it('shows how long an unused domain stays reserved', async () => {
    const domain = { custom_domain: 'support.northwind.example', custom_domain_record: record };
    saved = { ...saved, ...domain, custom_domain_verified: false, custom_domain_missing_since: '2026-11-10T10:00:00.000Z' };
    await open();
    expect(screen.getByText(/Links use your subdomain\. The domain stays reserved for you until Dec 10, 2026\./)).toBeInTheDocument();
  });

  it('shows next to the field that it belongs to another organization', async () => {
    server.use(http.put(api('/branding'), () => refuse('custom_domain.taken')));
    const { type, press } = await open();
    type(/^Domain/, 'support.northwind.example');
    await press('Save domain');
    await waitFor(() =>
      expect(screen.getByLabelText(/^Domain/)).toHaveAccessibleDescription(/This domain already belongs to another organization/),
    );
  });
});

it('shows an error with a retry if it cannot be loaded', async () => {
  server.use(http.get(api('/branding'), () => refuse('organization.not_found'), { once: true }));
  const { person } = renderApp('/settings?tab=branding');
  expect(await screen.findByText('Failed to load branding settings')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByLabelText('Primary color')).toHaveValue('#3B82F6');
});
