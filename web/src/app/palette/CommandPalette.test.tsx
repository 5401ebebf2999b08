import { act, screen, waitFor, within } from '@testing-library/react';
import type { DocsPageName } from '@tandem/contracts/values';
import { http, HttpResponse } from 'msw';
import type { DocsSectionText } from '../../features/docs/markdown/docs-sections';
import { aTicket, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';

/** Loaded once by the page, and so in whichever test searches first. */
const docsIndex: Partial<Record<DocsPageName, DocsSectionText[]>> = {
  'domain-setup': [
    { at: '', title: '', text: 'Give your customers a portal.' },
    {
      at: '#cname',
      title: 'CNAME record',
      text: 'At most providers a record is there within an hour. Then Tandem requests a certificate.',
    },
  ],
  'api-reference': [{ at: '?tab=rest#paging', title: 'Paging', text: 'The next page has a cursor.' }],
};

beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket({ subject: 'Wrong grind', ticket_number: 'NC-0042' })];
});
async function openPalette() {
  const view = renderApp('/dashboard');
  await screen.findByRole('heading', { name: 'Support Dashboard' });
  await view.person.keyboard('{Control>}k{/Control}');
  await screen.findByRole('dialog', { name: 'Commands' });
  return view;
}

it('opens with Mod+K and goes to a page by its name', async () => {
  const { person, address } = await openPalette();
  await person.keyboard('ticke{ArrowDown}');
  expect(screen.getByRole('option', { name: /New Ticket/ })).toBeInTheDocument();
  await person.click(screen.getByRole('option', { name: /^Tickets/ }));
  await waitFor(() => expect(address()).toBe('/tickets'));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('runs no shortcut of the page for keys that are typed while it is loading', async () => {
  const { address, person } = renderApp('/dashboard');
  await screen.findByRole('heading', { name: 'Support Dashboard' });
  const press = (init: KeyboardEventInit) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));
  act(() => {
    press({ key: 'k', ctrlKey: true });
    // `c` alone opens the form for a new ticket.
    for (const key of 'coffee') press({ key });
  });
  const palette = await screen.findByRole('combobox', { name: 'Commands' });
  expect(palette).toHaveValue('coffee');
  await waitFor(() => expect(palette).toHaveFocus());
  await person.keyboard('s');
  expect(palette).toHaveValue('coffees');
  expect(address()).toBe('/dashboard');
});

it('opens a ticket from the search results', async () => {
  const { person, address } = await openPalette();
  await person.keyboard('grind');
  await person.click(await screen.findByRole('option', { name: /Wrong grind/ }));
  await waitFor(() => expect(address()).toBe(`/tickets/${backend.tickets[0]?.id}`));
  expect(backend.calls).toContain('GET /tickets?search=grind&limit=6');
});

it('offers agents only pages that their role may open', async () => {
  backend.me.role = 'agent';
  backend.signIn();
  await openPalette();
  expect(screen.queryByRole('option', { name: /^Settings/ })).not.toBeInTheDocument();
});

it('finds tickets on a ticket’s page, whose merge dialog has a separate search', async () => {
  const { person } = renderApp(`/tickets/${backend.tickets[0]?.id}`);
  await person.click(await screen.findByRole('button', { name: 'More actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Merge into another ticket' }));
  await screen.findByRole('list', { name: 'This customer’s tickets' });
  await person.click(screen.getByRole('button', { name: 'Cancel' }));
  await person.keyboard('{Control>}k{/Control}');
  await person.keyboard('grind');
  expect(await screen.findByRole('option', { name: /Wrong grind/ })).toBeInTheDocument();
  await waitFor(() => expect(backend.calls).toContain('GET /tickets?search=grind&limit=6'));
});

it('shows a rejected search as an error with a retry', async () => {
  const { person } = await openPalette();
  let isRefused = true;
  const isSearch = (url: string) => new URL(url).searchParams.has('search');
  server.use(http.get(api('/tickets'), ({ request }) => (isRefused && isSearch(request.url) ? refuse('limit.exceeded') : undefined)));
  await person.keyboard('grind');
  expect(await screen.findByRole('alert')).toHaveTextContent('Couldn’t search tickets.');
  isRefused = false;
  expect(screen.queryByText('Nothing found')).not.toBeInTheDocument();
  await person.click(screen.getByRole('option', { name: 'Try again' }));
  expect(await screen.findByRole('option', { name: /Wrong grind/ })).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('finds pages of the documentation', async () => {
  const { person, address } = await openPalette();
  await person.keyboard('domain');
  await person.click(await screen.findByRole('option', { name: 'Domain setup' }));
  await waitFor(() => expect(address()).toBe('/docs/domain-setup'));
});

it('finds sections of the documentation by words of their texts', async () => {
  let loads = 0;
  server.use(
    http.get('*/docs/search.json', () => (loads++ === 0 ? new HttpResponse(null, { status: 503 }) : HttpResponse.json(docsIndex))),
  );
  const { person, address } = await openPalette();
  // The first load fails; the next search loads it again.
  await person.keyboard('certif');
  await waitFor(() => expect(loads).toBe(1));
  await person.clear(screen.getByPlaceholderText('Search or jump to…'));
  await person.keyboard('certif provid');
  const found = await screen.findByRole('option', { name: /CNAME record/ });
  expect(found).toHaveTextContent(/Tandem requests a certificate.*Domain setup/);
  expect(screen.queryByRole('option', { name: /Paging/ })).not.toBeInTheDocument();
  await person.clear(screen.getByPlaceholderText('Search or jump to…'));
  await person.keyboard('cursor');
  await person.click(await screen.findByRole('option', { name: /Paging/ }));
  await waitFor(() => expect(address()).toBe('/docs/api-reference?tab=rest'));
});

it('selects the best result, even if it arrives last, until the user moves', async () => {
  let answerSearch = () => undefined as void;
  const asked = new Promise<void>((resolve) => (answerSearch = resolve));
  server.use(
    http.get('*/docs/search.json', () => HttpResponse.json(docsIndex)),
    http.get(api('/tickets'), async () => {
      await asked;
      return answer(backend.tickets, { pagination: { next_cursor: null, total: 1 } });
    }),
  );
  const { person } = await openPalette();
  await person.keyboard('certif');
  const section = await screen.findByRole('option', { name: /CNAME record/ });
  await waitFor(() => expect(section).toHaveAttribute('aria-selected', 'true'));
  answerSearch();
  const ticket = await screen.findByRole('option', { name: /Wrong grind/ });
  await waitFor(() => expect(ticket).toHaveAttribute('aria-selected', 'true'));
  await person.keyboard('{ArrowDown}');
  expect(ticket).toHaveAttribute('aria-selected', 'false');
});

it('opens from the search field of the top bar', async () => {
  const { person } = renderApp('/dashboard');
  await person.click(await screen.findByRole('button', { name: 'Search or jump to…' }));
  expect(await screen.findByRole('dialog', { name: 'Commands' })).toBeInTheDocument();
});

describe('on a ticket’s page', () => {
  const openTicket = async () => {
    const view = renderApp(`/tickets/${backend.tickets[0]?.id}`);
    await screen.findByRole('textbox', { name: /reply/i });
    return view;
  };
  const open = async ({ person }: Awaited<ReturnType<typeof openTicket>>) => {
    await person.keyboard('{Control>}k{/Control}');
    return within(await screen.findByRole('dialog', { name: 'Commands' }));
  };

  it('lists the actions with their keys, and runs them', async () => {
    const view = await openTicket();
    const palette = await open(view);
    expect(palette.getByRole('option', { name: 'Write an internal note n' })).toBeInTheDocument();
    expect(palette.getByRole('option', { name: 'Merge into another ticket m' })).toBeInTheDocument();
    await view.person.keyboard('edit tags{Enter}');
    expect(await screen.findByLabelText('Tags')).toHaveFocus();
  });

  it('sets a value by its name, and undoes it with z', async () => {
    const view = await openTicket();
    await open(view);
    await view.person.keyboard('priority urgent{Enter}');
    await waitFor(() => expect(backend.tickets[0]?.priority).toBe('urgent'));
    expect(await screen.findByText('NC-0042: priority Medium → Urgent')).toBeInTheDocument();
    await view.person.keyboard('z');
    await waitFor(() => expect(backend.tickets[0]?.priority).toBe('medium'));
  });

  it('is listed as a recent ticket on other pages', async () => {
    const view = await openTicket();
    await view.person.keyboard('gd');
    await screen.findByRole('heading', { name: 'Support Dashboard' });
    const palette = await open(view);
    await view.person.click(palette.getByRole('option', { name: /Wrong grind/ }));
    await waitFor(() => expect(view.address()).toBe(`/tickets/${backend.tickets[0]?.id}`));
  });
});

it('shows tickets that are already loaded before the server answers', async () => {
  const { person } = renderApp('/tickets');
  await screen.findByRole('link', { name: 'Wrong grind' });
  const answered = new Promise<never>(() => undefined);
  server.use(http.get(api('/tickets'), () => answered));
  await person.keyboard('{Control>}k{/Control}');
  await screen.findByRole('dialog', { name: 'Commands' });
  await person.keyboard('nc-0042');
  expect(screen.getByRole('option', { name: /Wrong grind/ })).toBeInTheDocument();
});

it('finds customers, members, views and settings', async () => {
  const { person, address } = renderApp('/tickets');
  await screen.findByRole('link', { name: 'Wrong grind' });
  await person.keyboard('{Control>}k{/Control}');
  await screen.findByRole('dialog', { name: 'Commands' });
  const find = async (text: string, name: RegExp | string) => {
    await person.clear(screen.getByPlaceholderText('Search or jump to…'));
    await person.keyboard(text);
    return screen.findByRole('option', { name });
  };
  expect(await find(backend.tickets[0]!.customer_email.slice(0, 5), new RegExp(backend.tickets[0]!.customer_email))).toBeInTheDocument();
  expect(await find('unassigned', 'Unassigned')).toBeInTheDocument();
  expect(await find('business hours', 'SLA and hours')).toBeInTheDocument();
  await person.click(await find(backend.me.email, /Assigned tickets/));
  await waitFor(() => expect(address()).toBe(`/tickets?assignee=${backend.me.user_id}`));
});
