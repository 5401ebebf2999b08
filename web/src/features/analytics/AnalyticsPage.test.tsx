import { act, screen, waitFor, within } from '@testing-library/react';
import type { Analytics } from '@tandem/contracts';
import { http } from 'msw';
import { emptyFigures, someAnalytics } from '../../testing/analytics';
import { aMember, anId, aSession, backend } from '../../testing/backend';
import { FakeEventSource } from '../../testing/event-source';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';

/** The response of `GET /analytics`. */
let analytics: Analytics;
beforeEach(() => {
  analytics = someAnalytics();
  backend.signIn();
  server.use(http.get(api('/analytics'), () => answer(analytics)));
});

const created = 'created_from=2026-11-19T23:00:00.000Z&created_to=2026-11-21T23:00:00.000Z';
const region = (name: string) => screen.findByRole('region', { name });

it('shows each figure with its change, and links it to its tickets', async () => {
  renderApp('/analytics');
  const total = await screen.findByRole('link', { name: 'Total tickets: 120' });
  expect(total).toHaveAttribute('href', `/tickets?${created}`);
  expect(total.closest('li')).toHaveTextContent('Up 20% from 100 in the preceding period');
  const response = screen.getByRole('link', { name: 'First response: 1.5h' });
  expect(response).toHaveAttribute('href', `/tickets?${created}&has_first_response_time=true`);
  expect(response.closest('li')).toHaveTextContent('Down 50% from 3h in the preceding period, better');
  expect(response.closest('li')).toHaveTextContent('90% within 9h');
  expect(screen.getByRole('link', { name: 'Satisfaction: 4.2' }).closest('li')).toHaveTextContent('worse');
  expect(screen.getByText('Nov 20 to Nov 21')).toBeInTheDocument();
});

it('draws the trend of each figure, and describes it in words', async () => {
  renderApp('/analytics');
  const cardOf = async (name: string) => (await screen.findByRole('link', { name })).closest('li')!;
  const response = await cardOf('First response: 1.5h');
  expect(response).toHaveTextContent('Daily values: 1.2h to 1.9h.');
  await waitFor(() => expect(response.querySelectorAll('svg[viewBox="0 0 96 24"]')).toHaveLength(1));
  expect(await cardOf('Satisfaction: 4.2')).toHaveTextContent('Every day: 4.2.');
});

it('draws no trend for a figure without values, or for a single day', async () => {
  const { figures_per_day, per_day } = someAnalytics();
  analytics = someAnalytics({ figures_per_day: { ...figures_per_day, avg_satisfaction: [null, null] } });
  const { person } = renderApp('/analytics');
  const card = (await screen.findByRole('link', { name: 'Satisfaction: 4.2' })).closest('li')!;
  const total = screen.getByRole('link', { name: 'Total tickets: 120' }).closest('li')!;
  await waitFor(() => expect(total.querySelector('svg[viewBox="0 0 96 24"]')).not.toBeNull());
  expect(card.querySelector('svg[viewBox="0 0 96 24"]')).toBeNull();
  expect(card).not.toHaveTextContent('Per day');
  const firstOf = <T,>(values: T[]) => values.slice(0, 1);
  const ofOneDay = Object.fromEntries(Object.entries(figures_per_day).map(([name, values]) => [name, firstOf(values)]));
  analytics = someAnalytics({ per_day: firstOf(per_day), figures_per_day: ofOneDay as Analytics['figures_per_day'] });
  await person.click(screen.getByRole('button', { name: '7 days' }));
  await waitFor(() => expect(total).not.toHaveTextContent('Per day'));
});

it('shows a dash for figures without entries', async () => {
  analytics = someAnalytics({ figures: emptyFigures });
  renderApp('/analytics');
  expect(await screen.findByRole('link', { name: 'First response: —' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'SLA compliance: —' }).closest('li')).not.toHaveTextContent('No earlier data');
});

it('reads range and filters from the address, and writes them there', async () => {
  const { person, address } = renderApp('/analytics?range=7&priority=high&channel=fax');
  await screen.findByRole('link', { name: 'Total tickets: 120' });
  expect(backend.calls).toContain('GET /analytics?range=7&priority=high');
  expect(screen.getByRole('link', { name: 'Open tickets: 18' })).toHaveAttribute(
    'href',
    `/tickets?${created}&priority=high&status=open,in_progress`,
  );
  await person.click(screen.getByRole('button', { name: '90 days' }));
  expect(address()).toBe('/analytics?range=90&priority=high');
  expect(await screen.findByText('Nov 20 to Nov 21: 120 tickets')).toHaveAttribute('role', 'status');
  await person.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(address()).toBe('/analytics?range=90');
});

it('names an assignee who is no longer a member, and lets the filter be removed', async () => {
  const assignee = anId();
  const { person, address } = renderApp(`/analytics?assignee=${assignee}`);
  const control = await screen.findByRole('combobox', { name: 'Assignee' });
  await waitFor(() => expect(control).toHaveTextContent('Former member'));
  expect(screen.getByText('Assignee: Former member')).toBeInTheDocument();
  await person.click(control);
  expect(await screen.findByRole('option', { name: 'Former member' })).toHaveAttribute('aria-selected', 'true');
  await person.click(screen.getByRole('option', { name: 'All assignees' }));
  expect(address()).toBe('/analytics');
});

it('shows the name of a former member whose tickets are counted', async () => {
  const numbers = { assigned: 1, open: 0, resolved: 1, median_first_response_hours: 2, median_resolution_hours: 4, avg_satisfaction: null, ratings: 0 }; // prettier-ignore
  const user_id = anId();
  analytics = someAnalytics({
    team: [{ ...numbers, user_id, first_name: 'Marek', last_name: null, email: 'm@x.example', is_active: false }],
  });
  renderApp(`/analytics?assignee=${user_id}`);
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Assignee' })).toHaveTextContent('Marek'));
});

it('applies a custom range once it is valid', async () => {
  const { person, address } = renderApp('/analytics');
  await screen.findByRole('link', { name: 'Total tickets: 120' });
  await person.click(screen.getByRole('button', { name: 'Custom' }));
  await person.clear(await screen.findByLabelText('To'));
  expect(screen.getByRole('alert')).toHaveTextContent('Choose both the first and the last day');
  await person.type(screen.getByLabelText('To'), '2026-11-19');
  expect(screen.getByRole('alert')).toHaveTextContent('The last day is before the first');
  expect(address()).toBe('/analytics');
  await person.clear(screen.getByLabelText('To'));
  await person.type(screen.getByLabelText('To'), '2026-11-30');
  expect(address()).toBe('/analytics?from=2026-11-20&to=2026-11-30');
});

it('summarizes a chart in words, shows it as a table, and moves between its bars with the arrow keys', async () => {
  const { person } = renderApp('/analytics');
  const chart = await region('Created and resolved per day');
  expect(within(chart).getByRole('img')).toHaveAccessibleName(
    'Created and resolved per day. 120 tickets created and 90 resolved; the backlog went from 40 to 50. The busiest day was Nov 20, with 70 created.',
  );
  const links = await within(chart).findAllByRole('link');
  expect(links.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  act(() => within(chart).getByRole('link', { name: 'Sat, Nov 21: 50 created' }).focus());
  await person.keyboard('{ArrowLeft}{ArrowDown}');
  expect(within(chart).getByRole('link', { name: 'Fri, Nov 20: 50 resolved' })).toHaveFocus();
  expect(within(chart).getByText('SLA breaches')).toBeInTheDocument();
  await person.click(within(chart).getByRole('button', { name: /^Show as table/ }));
  const row = within(await within(chart).findByRole('table')).getByRole('row', { name: /Fri, Nov 20/ });
  expect(within(row).getByRole('link', { name: '70' })).toHaveAttribute(
    'href',
    '/tickets?created_from=2026-11-19T23:00:00.000Z&created_to=2026-11-20T23:00:00.000Z',
  );
});

it('links every bar and cell to its tickets', async () => {
  renderApp('/analytics');
  const channel = await region('Channel');
  expect(within(channel).getByRole('link', { name: /^Unknown/ })).toHaveAttribute('href', `/tickets?${created}&channel=none`);
  const category = await region('Category');
  expect(within(category).getByRole('link', { name: /^No category/ })).toHaveAttribute('href', `/tickets?${created}&has_category=false`);
  const others = within(category).getByRole('link', { name: /^All others/ });
  expect(others).toHaveTextContent('All others: 10 tickets');
  expect(others).toHaveAttribute('href', `/tickets?${created}&other_category=Orders`);
  const bars = within(within(category).getByRole('list')).getAllByRole('listitem');
  expect(bars.map((bar) => within(bar).queryByRole('link')).filter((link) => link === null)).toEqual([]);
  const sla = await region('SLA by priority');
  expect(within(sla).getByRole('link', { name: 'Urgent: 4 of 20 missed' })).toHaveAttribute(
    'href',
    `/tickets?${created}&breached=true&priority=urgent`,
  );
  const arrivals = await region('Arrivals');
  expect(within(arrivals).getByRole('link', { name: 'Monday, 9 AM: 14 tickets' })).toHaveAttribute(
    'href',
    `/tickets?${created}&created_weekday=1&created_hour=9`,
  );
});

it('shows all categories on demand', async () => {
  const items = Array.from({ length: 34 }, (_, n) => ({ key: `Category ${n}`, count: 40 - n }));
  analytics = someAnalytics({ by_category: { items, rest: 0 } });
  const { person } = renderApp('/analytics');
  const category = await region('Category');
  expect(within(category).getAllByRole('link')).toHaveLength(8);
  await person.click(within(category).getByRole('button', { name: 'Show all 34' }));
  expect(within(category).getByRole('link', { name: /^Category 33/ })).toHaveAttribute('href', `/tickets?${created}&category=Category+33`);
});

it('shows only the tag of the filter, because the ticket list cannot require a second one', async () => {
  analytics = someAnalytics({
    by_tag: {
      items: [
        { key: 'vip', count: 12 },
        { key: 'beans', count: 3 },
      ],
      rest: 4,
    },
  });
  renderApp('/analytics?tag=vip');
  const tags = await region('Tags');
  expect(
    within(tags)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['vip: 12 tickets10%']);
});

it('sorts the team, and labels members who have left', async () => {
  const numbers = { open: 1, resolved: 2, median_resolution_hours: 4, avg_satisfaction: null, ratings: 0 };
  const member = { last_name: null, email: 'x@x.example', ...numbers };
  analytics = someAnalytics({
    team: [
      { ...member, user_id: 'u-1', first_name: 'Ada', is_active: true, assigned: 3, median_first_response_hours: 2 },
      { ...member, user_id: 'u-2', first_name: 'Marek', is_active: false, assigned: 9, median_first_response_hours: null },
    ],
  });
  const { person } = renderApp('/analytics');
  const team = await region('Team');
  const names = () =>
    within(team)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent);
  expect(names()).toEqual(['MMarekLeft', 'AAda']);
  await person.click(within(team).getByRole('button', { name: 'First response' }));
  expect(within(team).getByRole('columnheader', { name: 'First response' })).toHaveAttribute('aria-sort', 'descending');
  expect(names()).toEqual(['AAda', 'MMarekLeft']);
  // The arrow keys move between the figures, which are one tab stop.
  const links = within(team).getAllByRole('link');
  expect(links.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  act(() => links[0]?.focus());
  await person.keyboard('{ArrowRight}{ArrowDown}');
  expect(within(team).getByRole('link', { name: 'Marek, Open: 1' })).toHaveFocus();
});

it('explains how a figure is counted, with a link to the guide', async () => {
  const { person } = renderApp('/analytics');
  await person.click((await screen.findAllByRole('button', { name: 'How is this counted? Reopen rate' }))[0]!);
  const popover = await screen.findByRole('dialog');
  expect(popover).toHaveTextContent('Tickets reopened at least once, divided by all tickets created in the range.');
  await person.click(within(popover).getByRole('link', { name: 'How we count' }));
  expect(await screen.findByRole('heading', { name: 'How we count' })).toBeInTheDocument();
  expect(screen.getByText('Reopen rate').closest('div')).toHaveAttribute('id', 'reopen_rate');
});

it('explains how every figure and chart is counted', async () => {
  renderApp('/analytics');
  await region('Arrivals');
  const headings = [
    ...screen.getAllByRole('heading', { level: 3 }),
    ...screen
      .getAllByRole('heading', { level: 2 })
      .filter(({ textContent }) => !['Figures', 'Newest feedback', 'Help articles'].includes(textContent)),
  ];
  expect(headings.length).toBeGreaterThan(20);
  const unexplained = headings.filter(
    (heading) => !within(heading.parentElement!).queryByRole('button', { name: /^How is this counted\? / }),
  );
  expect(unexplained).toEqual([]);
});

it('explains a figure while the mouse rests on its button, without moving the focus', async () => {
  const { person } = renderApp('/analytics');
  const total = await screen.findByRole('link', { name: 'Total tickets: 120' });
  act(() => total.focus());
  const button = screen.getByRole('button', { name: 'How is this counted? Escalation rate' });
  await person.hover(button);
  expect(await screen.findByRole('dialog')).toHaveTextContent('Escalated tickets, divided by all tickets created in the range.');
  await person.unhover(button);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(total).toHaveFocus();
  await person.hover(button);
  await screen.findByRole('dialog');
  await person.click(button);
  await person.unhover(button);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(screen.getByRole('dialog')).toBeInTheDocument();
});

it('does not explain a figure whose button the mouse only crosses', async () => {
  const { person } = renderApp('/analytics');
  const button = await screen.findByRole('button', { name: 'How is this counted? Escalation rate' });
  await person.hover(button);
  await person.unhover(button);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('shows when figures are computed live or again', async () => {
  analytics = someAnalytics({ computed_live: true, is_rebuilding: true });
  renderApp('/analytics');
  expect(await screen.findByText('Computed live')).toBeInTheDocument();
  expect(screen.getByText(/The figures are being computed again/)).toBeInTheDocument();
});

it('explains the page to an organization without tickets', async () => {
  analytics = someAnalytics({ has_tickets: false });
  renderApp('/analytics');
  expect(await screen.findByText('No tickets yet')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Create a test ticket' })).toHaveAttribute('href', '/tickets/new');
  expect(screen.queryByText('Download CSV')).toBeNull();
});

it('updates the figures without a reload', async () => {
  renderApp('/analytics');
  await screen.findByRole('link', { name: 'Total tickets: 120' });
  analytics = someAnalytics({ figures: { ...analytics.figures, total_tickets: 121 } });
  FakeEventSource.last.send({ type: 'metrics.updated', subject: 't' });
  expect(await screen.findByRole('link', { name: 'Total tickets: 121' })).toBeInTheDocument();
});

it('leaves the focus where it is when the figures change', async () => {
  renderApp('/analytics');
  const chart = await region('Created and resolved per day');
  const bar = await within(chart).findByRole('link', { name: 'Fri, Nov 20: 70 created' });
  act(() => bar.focus());
  const category = await region('Category');
  expect(within(category).getAllByRole('link')[0]).toHaveTextContent('Orders');
  const per_day = analytics.per_day.map((day) => ({ ...day, created: day.created + 1 }));
  const items = [...analytics.by_category.items].reverse();
  analytics = someAnalytics({ per_day, by_category: { items, rest: 0 } });
  FakeEventSource.last.send({ type: 'metrics.updated', subject: 't' });
  expect(await within(chart).findByRole('link', { name: 'Fri, Nov 20: 71 created' })).toBe(bar);
  expect(bar).toHaveFocus();
  await waitFor(() => expect(within(category).getAllByRole('link')[0]).toHaveTextContent('No category'));
});

it('prints the charts at the width of the paper, with the filters', async () => {
  renderApp('/analytics?priority=high');
  const section = within(await region('Created and resolved per day'));
  // The drawing with links replaces the first one.
  await section.findAllByRole('link');
  const chart = section.getByRole('img');
  const width = chart.getAttribute('width');
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(chart).toHaveAttribute('width', '680');
  expect(screen.getByText('Priority: High')).toBeInTheDocument();
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(chart).toHaveAttribute('width', width);
});

it('offers Try Again if the figures cannot be loaded', async () => {
  server.use(http.get(api('/analytics'), () => refuse('permission.denied'), { once: true }));
  const { person } = renderApp('/analytics');
  await person.click(await screen.findByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('link', { name: 'Total tickets: 120' })).toBeInTheDocument();
});

it('is not open to agents, who see their own figures on the dashboard', async () => {
  backend.signIn(aSession(aMember({ role: 'agent' })));
  const { period, time_zone, figures, previous, version } = analytics;
  server.use(http.get(api('/analytics/me'), () => answer({ period, time_zone, figures, previous, version })));
  const { address } = renderApp('/analytics');
  await waitFor(() => expect(address()).toBe('/dashboard'));
  const mine = await region('My last 30 days');
  expect(await within(mine).findByRole('link', { name: 'Resolved 90' })).toHaveAttribute(
    'href',
    `/tickets?${created}&assignee=me&has_resolution_time=true`,
  );
});

describe('if nothing was created in both periods, and nothing resolved or waiting in this one', () => {
  const quiet = (changes: Partial<Analytics> = {}) =>
    someAnalytics({
      figures: emptyFigures,
      previous: { ...someAnalytics().previous, figures: emptyFigures },
      per_day: [{ day: '2026-11-20', created: 0, resolved: 0, reopened: 0, backlog: 0, breaches: 0 }],
      ...changes,
    });

  it('offers to clear the filters', async () => {
    analytics = quiet();
    const { person } = renderApp('/analytics?priority=urgent&tag=gone');
    expect(await screen.findByText('No tickets match these filters')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Total tickets: 0' })).not.toBeInTheDocument();
    analytics = someAnalytics();
    await person.click(screen.getAllByRole('button', { name: 'Clear filters' }).at(-1)!);
    expect(await screen.findByRole('link', { name: 'Total tickets: 120' })).toBeInTheDocument();
    expect(screen.queryByText('No tickets match these filters')).not.toBeInTheDocument();
  });

  it('offers a longer range, unless it is the longest', async () => {
    analytics = quiet();
    const { person } = renderApp('/analytics');
    expect(await screen.findByText('No tickets on these days')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Show the last 90 days' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Show the last 90 days' })).not.toBeInTheDocument());
    expect(await screen.findByText('No tickets on these days')).toBeInTheDocument();
  });

  it('does not say that another range is empty before its figures have loaded', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.use(
      http.get(api('/analytics'), async ({ request }) => {
        const isFirst = !new URL(request.url).searchParams.has('range');
        if (!isFirst) await promise;
        return answer(isFirst ? quiet() : someAnalytics());
      }),
    );
    const { person } = renderApp('/analytics');
    await person.click(await screen.findByRole('button', { name: 'Show the last 90 days' }));
    await waitFor(() => expect(screen.queryByText('No tickets on these days')).not.toBeInTheDocument());
    resolve();
    expect(await screen.findByRole('link', { name: 'Total tickets: 120' })).toBeInTheDocument();
  });

  it('does not say so while the figures are being computed again', async () => {
    analytics = quiet({ is_rebuilding: true });
    renderApp('/analytics');
    expect(await screen.findByText(/The figures are being computed again/)).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: 'Total tickets: 0' })).toBeInTheDocument();
    expect(screen.queryByText('No tickets on these days')).not.toBeInTheDocument();
  });

  it('explains that days are in the future, although tickets are waiting', async () => {
    const day = '2126-01-01';
    analytics = quiet({
      period: { from: day, to: day, from_time: `${day}T00:00:00.000Z`, to_time: '2126-01-02T00:00:00.000Z' },
      per_day: [{ day, created: 0, resolved: 0, reopened: 0, backlog: 3, breaches: 0 }],
    });
    const { person } = renderApp(`/analytics?from=${day}&to=${day}&priority=urgent`);
    expect(await screen.findByText('These days are in the future')).toBeInTheDocument();
    analytics = someAnalytics();
    await person.click(screen.getByRole('button', { name: 'Show the last 90 days' }));
    expect(await screen.findByRole('link', { name: 'Total tickets: 120' })).toBeInTheDocument();
  });

  it('still shows the figures of earlier tickets that are waiting', async () => {
    analytics = quiet({ per_day: [{ day: '2026-11-20', created: 0, resolved: 0, reopened: 0, backlog: 3, breaches: 0 }] });
    renderApp('/analytics?priority=urgent');
    expect(await screen.findByRole('link', { name: 'Total tickets: 0' })).toBeInTheDocument();
    expect(screen.queryByText('No tickets match these filters')).not.toBeInTheDocument();
  });
});
