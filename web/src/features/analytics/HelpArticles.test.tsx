import { screen, waitFor, within } from '@testing-library/react';
import type { HelpReport } from '@tandem/contracts';
import axe from 'axe-core';
import { http } from 'msw';
import { someAnalytics } from '../../testing/analytics';
import { anId, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';

const article_id = anId();
const aDay = (day: string, views: number): HelpReport['days'][number] => ({
  day,
  views,
  suggestions_opened: 3,
  solved: 2,
  helpful: 3,
  not_helpful: 1,
  searches: 5,
  searches_without_result: 1,
});
const someReport: HelpReport = {
  days: [aDay('2026-11-20', 1_200), aDay('2026-11-21', 300)],
  articles: [
    { article_id, number: 12, title: 'Refund a payment', views: 900, suggestions_opened: 4, solved: 3, helpful: 1, not_helpful: 1 },
  ],
  searches_without_result: [{ query: 'change my iban?', times: 7, last_day: '2026-11-21' }],
};

let requests: string[];
beforeEach(() => {
  backend.signIn();
  requests = [];
  server.use(
    http.get(api('/analytics'), () => answer(someAnalytics())),
    http.get(api('/help-report'), ({ request }) => {
      requests.push(new URL(request.url).search);
      return answer(someReport);
    }),
  );
});
const section = () => screen.findByRole('region', { name: 'Help articles' });
const region = async (name: string) => within(await section()).findByRole('region', { name });

it('shows the figures of the help pages for the days of the range', async () => {
  renderApp('/analytics');
  const figures = await within(await section()).findByRole('list', { name: 'Help articles' });
  expect(requests).toEqual(['?from=2026-11-20&to=2026-11-21']);
  const figure = (name: string) => within(figures).getByRole('heading', { name }).closest('li');
  expect(figure('Views')).toHaveTextContent('1,500');
  expect(figure('Rated helpful')).toHaveTextContent('75%8 ratings');
  expect(figure('Searches')).toHaveTextContent('10');
  expect(figure('Searches without results')).toHaveTextContent('2');
  expect(figure('Suggestions opened')).toHaveTextContent('6');
  expect(figure('Solved without a ticket')).toHaveTextContent('4');
  expect(within(await section()).queryByText('Not affected by the filters above.')).not.toBeInTheDocument();
});

it('draws the days, and shows them as a table', async () => {
  const { person } = renderApp('/analytics?priority=high');
  const chart = await region('Views and searches per day');
  expect(within(chart).getByRole('img')).toHaveAccessibleName('Views and searches per day. 1,500 views and 10 searches.');
  await person.click(await within(chart).findByRole('button', { name: /^Show as table/ }));
  const row = await within(chart).findByRole('row', { name: /Sat, Nov 21/ });
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['300', '5', '1', '3', '2', '3', '1']);
  expect(within(await section()).getByText('Not affected by the filters above.')).toBeInTheDocument();
});

it('links articles to their pages, and searches without results to a new article', async () => {
  const { person, address } = renderApp('/analytics');
  const articles = await region('Most viewed articles');
  expect(within(articles).getByRole('link', { name: 'Refund a payment' })).toHaveAttribute('href', `/articles/${article_id}`);
  expect(
    within(articles)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['900', '50%', '4', '3']);
  const { violations } = await axe.run(await section(), { rules: { 'color-contrast': { enabled: false } } });
  expect(violations).toEqual([]);
  const searches = await region('Searches without results');
  expect(within(searches).getByRole('row', { name: /change my iban/ })).toHaveTextContent('7Nov 21');
  await person.click(within(searches).getByRole('link', { name: 'Write an article about “change my iban?”' }));
  expect(address()).toBe('/articles/new?title=change%20my%20iban%3F');
  expect(await screen.findByRole('textbox', { name: /Title/ })).toHaveValue('change my iban?');
});

it('explains a range without visits', async () => {
  server.use(
    http.get(api('/help-report'), () =>
      answer({
        days: someReport.days.map(({ day }) => ({
          day,
          views: 0,
          suggestions_opened: 0,
          solved: 0,
          helpful: 0,
          not_helpful: 0,
          searches: 0,
          searches_without_result: 0,
        })),
        articles: [],
        searches_without_result: [],
      }),
    ),
  );
  renderApp('/analytics');
  expect(await within(await section()).findByText('No visits to your help pages in this range')).toBeInTheDocument();
  expect(within(await section()).getByRole('link', { name: 'Open articles' })).toHaveAttribute('href', '/articles');
});

it('reports figures that could not be loaded, and loads them again', async () => {
  let fails = true;
  server.use(http.get(api('/help-report'), () => (fails ? refuse('internal') : answer(someReport))));
  const { person } = renderApp('/analytics');
  expect(await within(await section()).findByText('Couldn’t load the figures of help articles')).toBeInTheDocument();
  fails = false;
  await person.click(within(await section()).getByRole('button', { name: 'Try Again' }));
  await waitFor(async () => expect(await region('Most viewed articles')).toBeInTheDocument());
});
