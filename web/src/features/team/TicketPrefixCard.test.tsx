import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { TeamServer } from './testing';

let stored: { prefix: string; editable: boolean };
let saved: unknown[];
beforeEach(() => {
  backend.signIn();
  new TeamServer().start();
  stored = { prefix: 'NC', editable: true };
  saved = [];
  server.use(
    http.get(api('/ticket-prefix'), () => answer(stored)),
    http.put(api('/ticket-prefix'), async ({ request }) => {
      const body = (await request.json()) as { prefix: string };
      saved.push(body);
      stored = { ...stored, ...body };
      return answer(stored);
    }),
  );
});

async function open() {
  const { person } = renderApp('/organization-settings');
  const input = await screen.findByLabelText(/^Prefix/);
  const retype = async (text: string) => {
    await person.clear(input);
    await person.type(input, text);
  };
  return { person, input, retype, button: () => screen.getByRole('button', { name: 'Save prefix' }) };
}

it('saves another prefix in capitals and previews the numbers', async () => {
  const { person, input, retype, button } = await open();
  expect(input).toHaveValue('NC');
  expect(button()).toBeDisabled();
  await retype('acme');
  expect(input).toHaveAccessibleDescription(expect.stringContaining('ACME-0001'));
  await person.click(button());
  expect(await screen.findByText('Settings saved!')).toBeInTheDocument();
  expect(saved).toEqual([{ prefix: 'ACME' }]);
});

it.each(['A', 'A1', 'Ä B'])('rejects %j and explains the format', async (text) => {
  const { input, retype, button } = await open();
  await retype(text);
  expect(input).toHaveAccessibleDescription(expect.stringContaining('Enter 2 to 5 letters'));
  expect(button()).toBeDisabled();
});

it('is read-only once a ticket exists', async () => {
  stored.editable = false;
  renderApp('/organization-settings');
  expect(await screen.findByText(/The prefix can no longer change/)).toHaveTextContent('NC-0001');
  expect(screen.queryByLabelText(/^Prefix/)).not.toBeInTheDocument();
});

it('becomes read-only if the first ticket arrives while the form is open', async () => {
  server.use(
    http.put(api('/ticket-prefix'), () => {
      stored.editable = false;
      return refuse('ticket_prefix.in_use');
    }),
  );
  const { person, retype, button } = await open();
  await retype('ACME');
  await person.click(button());
  await waitFor(() => expect(screen.getByText(/The prefix can no longer change/)).toBeInTheDocument());
});
