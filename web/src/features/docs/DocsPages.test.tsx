import { docsPageNames, docsPages, metricDefinitions } from '@tandem/contracts/values';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { backend, branding, organization } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer } from '../../testing/responses';
import { server } from '../../testing/server';

const article = () => screen.findByRole('article');
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const sectionTitles = async () =>
  within(await article())
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent);

describe('the documentation', () => {
  it('starts with the quick start', async () => {
    const { address } = renderApp('/docs');
    expect(await heading('Quick start')).toBeInTheDocument();
    expect(address()).toBe('/docs/quick-start');
  });

  it.each(docsPageNames)('lists %s in the sidebar and between its neighbors, without requests', async (name) => {
    renderApp(`/docs/${name}`);
    const { title, description } = docsPages[name];
    await heading(title);
    expect(within(await article()).getByText(description)).toBeInTheDocument();
    const sidebar = within(screen.getByRole('navigation', { name: 'Documentation' }));
    expect(sidebar.getByRole('link', { name: title })).toHaveAttribute('aria-current', 'page');
    const at = docsPageNames.indexOf(name);
    const neighbors = [docsPageNames[at - 1], docsPageNames[at + 1]].filter((each) => each !== undefined);
    const turner = within(screen.getByRole('navigation', { name: 'Previous and next page' }));
    expect(turner.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(neighbors.map((each) => `/docs/${each}`));
    expect(backend.calls).toEqual([]);
  });

  it('lists the sections of the open tab', async () => {
    const { person } = renderApp('/docs/customer-guide');
    await article();
    const listed = () =>
      within(screen.getByRole('navigation', { name: 'On this page' }))
        .getAllByRole('link')
        .map(({ textContent }) => textContent);
    expect(listed()).toEqual(await sectionTitles());
    await person.click(screen.getByRole('tab', { name: 'Tracking' }));
    expect(listed()).toEqual(['Open your ticket', 'Statuses', 'The ticket’s page']);
    expect(listed()).toEqual(await sectionTitles());
  });
});

describe('/docs/quick-start', () => {
  it('has four steps of 5, 10, 2 and 3 minutes', async () => {
    renderApp('/docs/quick-start');
    expect((await sectionTitles()).slice(0, 4).map((title) => title?.slice(0, 2))).toEqual(['1.', '2.', '3.', '4.']);
    expect(screen.getAllByText(/^\d+ minutes$/).map(({ textContent }) => textContent)).toEqual([
      '5 minutes',
      '10 minutes',
      '2 minutes',
      '3 minutes',
    ]);
    expect(screen.getByText(/about 20 minutes in total/)).toBeInTheDocument();
  });

  it('remembers the checked items of the checklist in this browser', async () => {
    const { person, unmount } = renderApp('/docs/quick-start');
    const box = () => screen.findByRole('checkbox', { name: /The test ticket is in the list/ });
    await person.click(await box());
    unmount();
    renderApp('/docs/quick-start');
    expect(await box()).toBeChecked();
    expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(1);
  });

  it('shows the portal and the snippet of the signed-in user’s organization', async () => {
    backend.signIn();
    renderApp('/docs/quick-start');
    await waitFor(() => expect(screen.getByLabelText('Your portal')).toHaveTextContent(`http://${organization.subdomain}.localhost`));
    expect(screen.getByLabelText('Widget')).toHaveTextContent(`data-organization="${organization.subdomain}"`);
  });
});

describe('/docs/domain-setup', () => {
  const record = { name: '_tandem.help.northwind.example', value: 'tandem-verification=abc' };
  const withDomain = (isVerified: boolean) => ({
    ...branding,
    custom_domain: 'help.northwind.example',
    custom_domain_verified: isVerified,
    custom_domain_missing_since: null,
    custom_domain_record: record,
  });

  it('explains both records and the steps for four DNS providers', async () => {
    renderApp('/docs/domain-setup?tab=custom');
    expect(await screen.findByRole('row', { name: 'CNAME support localhost 300 or auto' })).toBeInTheDocument();
    expect(screen.getByRole('row', { name: /^TXT _tandem\.support\.example\.com tandem-verification=… 300 or auto$/ })).toBeInTheDocument();
    for (const name of ['Cloudflare', 'GoDaddy', 'Namecheap', 'Amazon Route 53'])
      expect(screen.getByRole('heading', { level: 3, name })).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Alternative: an A record' })).toBeInTheDocument();
    expect(screen.getByText(/DNS propagation takes up to 48 hours, but usually 1–2 hours/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Check now' })).not.toBeInTheDocument();
  });

  it('shows the reader’s records, and marks the TXT record once it is found', async () => {
    backend.signIn();
    server.use(
      http.get('*/api/v1/branding', () => answer(withDomain(false))),
      http.post('*/api/v1/branding/custom-domain/verify', () => answer(withDomain(true))),
    );
    const { person } = renderApp('/docs/domain-setup?tab=custom');
    expect(await screen.findByRole('row', { name: `TXT ${record.name} ${record.value} 300 or auto` })).toBeInTheDocument();
    expect(screen.getByRole('row', { name: /^CNAME help / })).toBeInTheDocument();
    expect(screen.getByText('The TXT record hasn’t been found yet.')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Check now' }));
    expect(await screen.findByText('The TXT record was found. Your domain is verified.')).toBeInTheDocument();
  });
});

describe('/docs/customer-guide', () => {
  it('has the expected response times and a link to the form', async () => {
    renderApp('/docs/customer-guide');
    await article();
    const links = screen.getAllByRole('link', { name: 'Submit a ticket' });
    expect(links.map((link) => link.getAttribute('href'))).toContain('/submit-ticket');
    const rows = within(screen.getByRole('table', { name: 'Expected response times' })).getAllByRole('row');
    expect(rows.map((row) => [row.firstChild?.textContent, row.lastChild?.textContent])).toEqual([
      ['Priority', 'First response'],
      ['High', '2–4 hours'],
      ['Medium', '8–24 hours'],
      ['Low', '24–48 hours'],
    ]);
  });

  it('names statuses as customers see them', async () => {
    renderApp('/docs/customer-guide?tab=tracking');
    const table = await screen.findByRole('table', { name: 'Statuses' });
    expect(
      within(table)
        .getAllByRole('rowheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Open', 'In Progress', 'Pending', 'Resolved', 'Closed']);
  });

  it('states that emails cannot be disabled', async () => {
    renderApp('/docs/customer-guide?tab=communication');
    expect(await screen.findByText(/These emails cannot be disabled/)).toBeInTheDocument();
  });
});

describe('/docs/admin-guide', () => {
  it('has a tab per subject', async () => {
    renderApp('/docs/admin-guide');
    await article();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Organization',
      'User Management',
      'Security',
      'Monitoring',
      'Integrations',
      'Data',
      'Privacy',
    ]);
  });

  it('opens the tab of a figure’s definition', async () => {
    const [metric] = Object.keys(metricDefinitions);
    renderApp(`/docs/admin-guide#${metric}`);
    expect(await screen.findByRole('tab', { name: 'Monitoring' })).toHaveAttribute('aria-selected', 'true');
    expect(document.getElementById(metric!)).toHaveClass('bg-accent-soft');
  });
});
