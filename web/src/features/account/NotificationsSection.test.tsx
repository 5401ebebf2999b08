import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { aSession, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { startAccount } from './testing';

beforeEach(() => startAccount());

const section = () => screen.findByRole('region', { name: 'Notifications' });
const mentionMail = { name: 'A teammate mentions me: by email' };
const saved = () => backend.calls.filter((call) => call === 'PUT /notification-preferences');
async function open(path = '/account') {
  const view = renderApp(path);
  const part = await section();
  await within(part).findAllByRole('switch');
  return { ...view, part };
}

it('shows the saved choice for each topic and channel', async () => {
  backend.preferences.sla.mail = false;
  const { part } = await open();
  const switches = within(part).getAllByRole('switch');
  expect(switches).toHaveLength(22);
  expect(switches.filter((each) => each.getAttribute('aria-checked') === 'false').map((each) => each.id)).toHaveLength(1);
  expect(within(part).getByRole('switch', { name: 'A due time is near or missed: by email' })).not.toBeChecked();
  expect(within(part).getByRole('rowheader', { name: 'A customer replies to my ticket' })).toBeInTheDocument();
  const { violations } = await axe.run(part, { rules: { 'color-contrast': { enabled: false } } });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

it('offers the task tool topic to admins only', async () => {
  startAccount(aSession({ ...backend.me, role: 'manager' }));
  const { part } = await open();
  expect(within(part).getAllByRole('switch')).toHaveLength(12);
  expect(within(part).queryByText('The integration needs attention')).not.toBeInTheDocument();
});

it('saves a choice immediately', async () => {
  const { part, person } = await open();
  await person.click(within(part).getByRole('switch', mentionMail));
  await waitFor(() => expect(within(part).getByRole('switch', mentionMail)).not.toBeChecked());
  await waitFor(() => expect(backend.preferences.mention).toEqual({ in_app: true, mail: false }));
});

it('reverts a rejected choice with an error', async () => {
  server.use(http.put(api('/notification-preferences'), () => refuse('internal')));
  const { part, person } = await open();
  await person.click(within(part).getByRole('switch', mentionMail));
  expect(await screen.findByText(/Couldn’t save your choice/)).toBeInTheDocument();
  await waitFor(() => expect(within(part).getByRole('switch', mentionMail)).toBeChecked());
});

it('saves quick choices in order, ending with the last one', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  server.use(
    http.put(api('/notification-preferences'), async ({ request }) => {
      backend.preferences = (await request.json()) as typeof backend.preferences;
      await held;
      return answer(backend.preferences);
    }),
  );
  const { part, person } = await open();
  for (const each of within(part).getAllByRole('switch')) await person.click(each);
  await waitFor(() => expect(saved()).toHaveLength(1));
  release();
  await waitFor(() => expect(saved()).toHaveLength(2));
  const nothing = { in_app: false, mail: false };
  await waitFor(() =>
    expect(backend.preferences).toEqual({
      assigned: nothing,
      mention: nothing,
      customer_replied: nothing,
      sla: nothing,
      snooze: nothing,
      delivery_failed: nothing,
      task_sync: nothing,
      custom_domain: nothing,
      webhooks: nothing,
      rules: nothing,
      exports: nothing,
    }),
  );
  await waitFor(() => {
    for (const each of within(part).getAllByRole('switch')) expect(each).not.toBeChecked();
  });
});

it('shows an error with a retry if the choices cannot be loaded', async () => {
  server.use(http.get(api('/notification-preferences'), () => refuse('permission.denied'), { once: true }));
  const { person } = renderApp('/account');
  const part = await section();
  await person.click(await within(part).findByRole('button', { name: 'Try Again' }));
  expect(await within(part).findAllByRole('switch')).toHaveLength(22);
});

it('is the scroll target of the link in emails', async () => {
  const scrolled: string[] = [];
  jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this.id);
  });
  await open('/account#notifications');
  expect(scrolled).toContain('notifications');
});

it('is hidden for a user without an organization', async () => {
  startAccount(aSession(null));
  renderApp('/account');
  await screen.findByRole('region', { name: 'Name' });
  expect(screen.queryByRole('region', { name: 'Notifications' })).not.toBeInTheDocument();
});
