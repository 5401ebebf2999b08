import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';
import { anExport, FakeTransfer } from './testing';

let fake: FakeTransfer;
beforeEach(() => {
  backend.signIn();
  fake = new FakeTransfer();
  server.use(...fake.handlers());
});
const open = () => renderApp('/settings?tab=export');

it('starts an export without files, shows its progress, and stops it', async () => {
  const { person } = open();
  await person.click(await screen.findByRole('checkbox', { name: 'Include files' }));
  await person.click(screen.getByRole('button', { name: 'Export everything' }));
  expect(await screen.findByText('Export started')).toBeInTheDocument();
  expect(fake.sent).toEqual([{ call: 'create export', body: { has_files: false } }]);
  expect(await screen.findByRole('progressbar', { name: 'Exporting' })).toHaveValue(25);
  expect(screen.getByRole('button', { name: 'Export everything' })).toBeDisabled();
  await person.click(screen.getByRole('button', { name: 'Stop export' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Stop this export?' }));
  await person.click(dialog.getByRole('button', { name: 'Stop export' }));
  await waitFor(() => expect(screen.queryByRole('progressbar')).not.toBeInTheDocument());
});

it('lists exports with size and expiry, downloads and deletes them', async () => {
  fake.exports = [
    anExport(),
    anExport({ state: 'failed', size: null, expires_at: null, is_of_customer: true, customer_email: 'jonas@example.com' }),
    anExport({ state: 'expired', has_files: false, is_of_customer: true }),
  ];
  const { person } = open();
  const [done, failed, expired] = within(await screen.findByRole('list', { name: 'Exports' })).getAllByRole('listitem');
  await waitFor(() => expect(done).toHaveTextContent(/Ready.*Ada Okafor · With files · 5 MB · Expires in 6 days/));
  expect(failed).toHaveTextContent(/Data of jonas@example\.com.*Failed.*couldn’t be completed/);
  expect(expired).toHaveTextContent(/Data of a customer.*Expired.*Without files/);
  expect(screen.getAllByRole('button', { name: /^Download the export of/ })).toHaveLength(1);
  let href: string | undefined;
  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    href = this.getAttribute('href') ?? undefined;
  });
  await person.click(screen.getByRole('button', { name: /^Download the export of/ }));
  await waitFor(() => expect(href).toBe(`/api/v1/export-files/${fake.exports[0]?.id}`));
  click.mockRestore();
  await person.click(within(done!).getByRole('button', { name: /^Delete/ }));
  await person.click(
    within(await screen.findByRole('dialog', { name: 'Delete this export?' })).getByRole('button', { name: 'Delete export' }),
  );
  await waitFor(() => expect(screen.queryByText(/Expires in/)).not.toBeInTheDocument());
});

it('shows why an export or its list is refused', async () => {
  server.use(
    http.post(api('/exports'), () => refuse('export.too_many')),
    http.get(api('/exports'), () => refuse('request.invalid')),
  );
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Export everything' }));
  expect(await screen.findByText(/^Couldn’t start the export. There have been 10 exports/)).toBeInTheDocument();
});
