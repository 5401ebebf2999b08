import { act, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { aMember, aSession, aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';
import { erasureAddress } from './privacy-address';
import { aPreview, aReceipt, anErasure, FakePrivacy } from './testing';

let fake: FakePrivacy;
beforeEach(() => {
  backend.signIn();
  fake = new FakePrivacy();
  server.use(...fake.handlers());
});
const open = () => renderApp('/settings?tab=privacy');
/** jsdom's blobs have no `text()`. */
const textOf = (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsText(blob);
  });
const addressField = () => screen.findByRole('textbox', { name: 'Customer’s email address' });

it('previews an erasure, schedules it after the address is typed again, and cancels it', async () => {
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Show what would be erased' }));
  expect(await addressField()).toHaveAccessibleDescription('Enter the customer’s email address');
  await person.type(await addressField(), ' Jonas@Example.com');
  await person.click(screen.getByRole('button', { name: 'Show what would be erased' }));

  const preview = within(await screen.findByRole('region', { name: 'What would be erased for jonas@example.com' }));
  expect(preview.getByText('1,204').closest('div')).toHaveTextContent('Comments');
  expect(preview.queryByText('Files')).not.toBeInTheDocument();
  expect(preview.getByRole('link', { name: /NC-0001/ })).toHaveAttribute('href', `/tickets/${fake.preview.tickets[0]!.id}`);
  expect(preview.getByText(/^1 ticket of another customer has comments/)).toBeInTheDocument();
  expect(preview.getByText(/^2 linked tasks stay/)).toBeInTheDocument();
  const { violations } = await axe.run(screen.getByRole('region', { name: 'A customer’s data' }), {
    rules: { 'color-contrast': { enabled: false } },
  });
  expect(violations).toEqual([]);

  const form = within(screen.getByRole('form', { name: 'Erase this customer' }));
  expect(form.getByRole('radio', { name: 'In 24 hours' })).toBeChecked();
  const confirmation = form.getByRole('textbox', { name: 'Type the address again to confirm' });
  await person.type(confirmation, 'jonas@example.org');
  await person.click(form.getByRole('button', { name: 'Schedule erasure' }));
  expect(confirmation).toHaveAccessibleDescription('The addresses don’t match');
  expect(fake.sent).toEqual([]);
  await person.clear(confirmation);
  await person.type(confirmation, 'JONAS@example.com');
  await person.click(form.getByRole('radio', { name: 'In 7 days' }));
  await person.click(form.getByRole('button', { name: 'Schedule erasure' }));

  const list = within(await screen.findByRole('list', { name: 'Erasures' }));
  expect(fake.sent).toEqual([{ call: 'erase', body: { email: 'jonas@example.com', delay_hours: 168 } }]);
  await waitFor(() =>
    expect(list.getByRole('listitem')).toHaveTextContent(/jonas@example\.com.*Scheduled.*Ada Okafor.*Starts in [67] days/),
  );
  expect(await addressField()).toHaveValue('');
  expect(screen.queryByRole('form', { name: 'Erase this customer' })).not.toBeInTheDocument();
  await person.click(list.getByRole('button', { name: /^Cancel erasure/ }));
  expect(await list.findByText('Cancelled')).toBeInTheDocument();
  expect(list.queryByText(/jonas/)).not.toBeInTheDocument();
});

it('erases immediately without a way to cancel, and shows why it is refused', async () => {
  fake.preview = aPreview({ counts: {}, tickets: [], other_tickets: 0, linked_tasks: 0 });
  const { person } = open();
  await person.type(await addressField(), 'jonas@example.com{Enter}');
  expect(await screen.findByText(/^There are no tickets, comments/)).toBeInTheDocument();
  await person.click(screen.getByRole('radio', { name: 'Now' }));
  expect(screen.getByText(/can’t be cancelled or undone/)).toBeInTheDocument();
  await person.type(screen.getByRole('textbox', { name: /^Type the address again/ }), 'jonas@example.com');
  server.use(http.post(api('/erasures'), () => refuse('erasure.member'), { once: true }));
  await person.click(screen.getByRole('button', { name: 'Erase now' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('belongs to a member of your team');
  await person.click(screen.getByRole('button', { name: 'Erase now' }));
  const row = within(await screen.findByRole('list', { name: 'Erasures' }));
  expect(row.getByText(/Starts within a minute/)).toBeInTheDocument();
  expect(row.queryByRole('button', { name: /^Cancel/ })).not.toBeInTheDocument();
});

it('exports the data of a customer, and shows an invalid address at its field', async () => {
  const { person } = open();
  await person.type(await addressField(), 'jonas@example.com');
  const errors = [{ path: 'email', code: 'invalid', message: 'Enter a valid email address' }];
  server.use(http.post(api('/customer-exports'), () => refuse('request.invalid', { errors }), { once: true }));
  await person.click(screen.getByRole('button', { name: 'Export this customer’s data' }));
  await waitFor(async () => expect(await addressField()).toHaveAccessibleDescription('Enter a valid email address'));
  await person.click(screen.getByRole('button', { name: 'Export this customer’s data' }));
  expect(await screen.findByRole('link', { name: 'list of exports' })).toHaveAttribute('href', '/settings?tab=export');
  expect(fake.sent).toEqual([{ call: 'export', body: { email: 'jonas@example.com' } }]);
});

it('follows a running erasure to its receipt, which contains no data of the customer', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'], advanceTimers: true });
  try {
    const running = anErasure({
      state: 'running',
      starts_at: '2026-11-20T10:05:00.000Z',
      answers: { ...anErasure().answers, tickets: {} },
    });
    fake.erasures = [running];
    const { person } = renderApp(erasureAddress(running.id));
    expect(await screen.findByText('1 of 5 services have finished')).toBeInTheDocument();
    fake.erasures = [aReceipt({ id: running.id })];
    await act(() => jest.advanceTimersByTimeAsync(5_000));
    expect(await screen.findByRole('heading', { name: 'Receipt of an erasure' })).toBeInTheDocument();
    const deleted = within(screen.getByRole('region', { name: 'What was deleted' }));
    expect(deleted.getByText('Tickets and files').parentElement).toHaveTextContent('Tickets4Comments1,204');
    expect(deleted.getByText('Analytics').parentElement).toHaveTextContent('Nothing was stored');
    const remains = within(screen.getByRole('region', { name: 'What remains, and why' }));
    expect(remains.getAllByRole('listitem')).toHaveLength(2);

    let [name, blob]: [string?, Blob?] = [];
    const create = jest.spyOn(URL, 'createObjectURL').mockImplementation((content) => ((blob = content as Blob), 'blob:receipt'));
    const revoke = jest.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
    const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      name = this.download;
    });
    await person.click(screen.getByRole('button', { name: 'Download as text' }));
    for (const spy of [create, revoke, click]) spy.mockRestore();
    const number = running.id.slice(-8);
    expect(name).toBe(`erasure-${number}.txt`);
    const text = await textOf(blob!);
    expect(text).toContain(`Number: ${number}\nOrganization: Northwind Coffee\nRequested: 2026-11-20 10:05 UTC, Ada Okafor\n`);
    expect(text).toContain('Tickets and files\n  Tickets: 4\n  Comments: 1204\nEmails, notifications, webhooks\n  Sent emails: 9\n');
    expect(text).toContain('- Linked tasks in the task tool');
    expect(`${text}${document.body.textContent}`).not.toContain('jonas');
  } finally {
    jest.useRealTimers();
  }
});

it('shows a receipt once the name of the person who requested it is known', async () => {
  const loaded = Promise.withResolvers<void>();
  server.use(http.get(api('/team/members'), () => loaded.promise));
  fake.erasures = [aReceipt()];
  renderApp(erasureAddress(fake.erasures[0]!.id));
  await waitFor(() => expect(backend.calls).toContainEqual(expect.stringContaining(fake.erasures[0]!.id)));
  const download = { name: 'Download as text' };
  await expect(screen.findByRole('button', download, { timeout: 500 })).rejects.toThrow('Unable to find role="button"');
  loaded.resolve();
  expect(await screen.findByRole('button', download)).toBeInTheDocument();
  expect(screen.getByRole('main')).toHaveTextContent('Ada Okafor');
});

describe('the link on a ticket', () => {
  const openTicket = () => {
    backend.tickets = [aTicket({ customer_email: 'jonas@example.com' })];
    return renderApp(`/tickets/${backend.tickets[0]!.id}`);
  };

  it('opens the settings with the address of the customer, which is in no URL', async () => {
    const { person, address } = openTicket();
    await person.click(await screen.findByRole('link', { name: 'Erase this customer…' }));
    expect(await addressField()).toHaveValue('jonas@example.com');
    expect(address()).toBe('/settings?tab=privacy');
  });

  it('is for admins only', async () => {
    backend.signIn(aSession(aMember({ role: 'manager' })));
    openTicket();
    expect(await screen.findByText('No other tickets')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Erase this customer…' })).not.toBeInTheDocument();
  });
});

describe('retention', () => {
  const retention = async () => within(await screen.findByRole('region', { name: 'Retention' }));

  it('counts what it would delete, asks once before it is turned on, and is saved', async () => {
    fake.expired = (months) => (months === 6 ? 4_500 : 0);
    const { person } = open();
    const card = await retention();
    expect(await card.findByText('No tickets are old enough to be deleted now.')).toBeInTheDocument();
    expect(card.getByText(/3:00 AM \(Europe\/Berlin\)/)).toBeInTheDocument();
    const months = card.getByRole('textbox', { name: 'Months to keep tickets' });
    await person.clear(months);
    expect(months).toHaveAccessibleDescription(/^Enter whole months, from 1 to 120/);
    expect(card.getByRole('button', { name: 'Save retention' })).toBeDisabled();
    await person.type(months, '6');
    expect(await card.findByText('4,500 tickets would be deleted in the next 3 nights, up to 2,000 per night.')).toBeInTheDocument();
    await person.type(card.getByRole('textbox', { name: /^Categories to keep/ }), 'Billing,');
    await person.click(card.getByRole('switch', { name: 'Delete or anonymize old tickets automatically' }));
    await person.click(card.getByRole('button', { name: 'Save retention' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete 4,500 tickets?' }));
    expect(fake.sent).toEqual([]);
    await person.click(dialog.getByRole('button', { name: 'Save and delete' }));
    expect(await card.findByText(/^Last saved/)).toBeInTheDocument();
    const policy = { is_active: true, action: 'delete', months: 6, kept_categories: ['Billing'] };
    expect(fake.sent).toEqual([{ call: 'save retention', body: policy }]);
  });

  it('anonymizes tickets instead, if that is chosen', async () => {
    fake.expired = () => 1;
    const { person } = open();
    const card = await retention();
    expect(await card.findByRole('radio', { name: 'Delete' })).toBeChecked();
    const anonymize = card.getByRole('radio', { name: 'Anonymize' });
    expect(anonymize).toHaveAccessibleDescription(/^Tickets stay for your reports/);
    await person.click(anonymize);
    expect(await card.findByText('1 ticket would be anonymized tonight.')).toBeInTheDocument();
    await person.click(card.getByRole('switch', { name: 'Delete or anonymize old tickets automatically' }));
    await person.click(card.getByRole('button', { name: 'Save retention' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Anonymize 1 ticket?' }));
    await person.click(dialog.getByRole('button', { name: 'Save and anonymize' }));
    expect(await card.findByText(/^Last saved/)).toBeInTheDocument();
    expect(fake.sent).toEqual([
      { call: 'save retention', body: { is_active: true, action: 'anonymize', months: 24, kept_categories: [] } },
    ]);
  });

  it('is turned off, or on without old tickets, without a question', async () => {
    fake.retention = { is_active: true, action: 'delete', months: 24, kept_categories: [], updated_at: '2026-11-20T10:05:00.000Z' };
    const { person } = open();
    const card = await retention();
    for (const isActive of [false, true]) {
      await person.click(await card.findByRole('switch', { name: 'Delete or anonymize old tickets automatically' }));
      await person.click(card.getByRole('button', { name: 'Save retention' }));
      await waitFor(() => expect(fake.sent.at(-1)?.body).toMatchObject({ is_active: isActive }));
      await card.findByText(/^Last saved/);
    }
  });
});
