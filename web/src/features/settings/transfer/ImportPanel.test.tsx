import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { backend, aCustomField } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { anImport, anImportFile, aProblem, aReadyImport, FakeTransfer } from './testing';

let fake: FakeTransfer;
beforeEach(() => {
  backend.signIn();
  fake = new FakeTransfer();
  server.use(...fake.handlers());
});

const open = (more = '') => renderApp(`/settings?tab=import${more}`);
const openImport = (current = anImport()) => {
  fake.imports = [current];
  return { current, ...open(`&import=${current.id}`) };
};
const step = (name: string) => screen.findByRole('region', { name });
const press = async (person: ReturnType<typeof renderApp>['person'], name: string | RegExp) =>
  person.click(await screen.findByRole('button', { name }));
const confirm = async (person: ReturnType<typeof renderApp>['person'], name: string) =>
  person.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));
const choose = async (person: ReturnType<typeof renderApp>['person'], control: HTMLElement, option: string) => {
  await person.click(control);
  await person.click(await screen.findByRole('option', { name: option }));
};
const sent = (call: string) => fake.sent.filter((each) => each.call === call).map(({ body }) => body);
const upload = async (...files: File[]) => {
  fireEvent.change(await screen.findByLabelText(/^(Choose|Add) files$/, { selector: 'input' }), { target: { files } });
};
/** jsdom has no `Blob.text`. */
const textOf = (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsText(blob);
  });
const aFile = (name: string) => new File(['Title,Requester'], name, { type: 'text/csv' });
/** The page polls every two seconds: reading again when the window gets the focus is faster. */
const refocus = () => fireEvent(document, new Event('visibilitychange'));

it('lists imports with their state, author, result and time left to undo, and all sources', async () => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000 + 60_000).toISOString();
  const counts = { ticket: { found: 1_240, created: 1_238, existing: 0, failed: 2 } };
  fake.imports = [
    anImport({ state: 'importing', source: 'zendesk', name: 'export.json', progress: { done: 30, total: 120 } }),
    anImport({ state: 'done', name: 'tickets.csv', counts, undo_until: inHours(23) }),
    anImport({ state: 'done', name: 'old.csv', counts, undo_until: inHours(-1), created_by: null }),
    anImport({ state: 'failed', source: 'chatwoot', name: 'chat.example.com', failure: 'source.refused' }),
  ];
  const members = Promise.withResolvers<void>();
  server.use(http.get(api('/team/members'), () => members.promise));
  open();
  const rows = within(await screen.findByRole('list', { name: 'Imports' })).getAllByRole('listitem');
  expect(rows[0]).toHaveTextContent(/Importing… · 1h ago/);
  members.resolve();
  await waitFor(() => expect(rows[0]).toHaveTextContent(/Zendesk · export.json.*Importing.*Ada Okafor.*25%/));
  expect(rows[1]).toHaveTextContent(/tickets.csv.*Done.*Tickets: 1,238.*23 hours left to undo/);
  expect(rows[2]).toHaveTextContent(/Former member/);
  expect(rows[2]).not.toHaveTextContent(/undo/);
  expect(rows[3]).toHaveTextContent(/Chatwoot.*Failed/);
  const sources = within(screen.getByRole('list', { name: 'Sources' })).getAllByRole('button');
  expect(
    sources.map(({ textContent }) => /^(CSV files|Tandem|Zendesk|Freshdesk|Help Scout|Chatwoot|Zammad)/.exec(textContent)?.[0]),
  ).not.toContain(undefined);
});

it('imports CSV files: upload, columns, check, match, import, undo', async () => {
  backend.customFields = [aCustomField({ key: 'code', label: 'Code' })];
  const { person } = open();
  await press(person, /^CSV files/);
  await step('Upload');
  await upload(aFile('tickets.csv'), aFile('comments.csv'));
  await waitFor(() => expect(fake.uploaded).toEqual(['tickets.csv', 'comments.csv']));
  const id = fake.imports[0]!.id;

  const columns = within(await step('Columns'));
  const file = within(await columns.findByRole('region', { name: 'tickets.csv' }));
  expect(file.getByRole('list', { name: 'Columns of tickets.csv' })).toHaveTextContent(
    /^Subject.*Title.*Suggested.*Wrong grind · Late delivery/,
  );
  expect(file.getByText('Not imported: Internal code')).toBeInTheDocument();
  await choose(person, file.getByRole('combobox', { name: 'Code' }), 'Internal code');
  expect(file.queryByText(/^Not imported:/)).not.toBeInTheDocument();
  await choose(person, file.getByRole('combobox', { name: /^Customer’s email/ }), 'Not imported');
  expect(await columns.findByText('Choose a column for: Customer’s email.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Check the data' })).not.toBeInTheDocument();
  await choose(person, file.getByRole('combobox', { name: /^Customer’s email/ }), 'Requester');
  await waitFor(() =>
    expect(sent('update').at(-1)).toMatchObject({
      mappings: [{ kind: 'tickets', mapping: { subject: 'Title', customer_email: 'Requester', 'custom_fields.code': 'Internal code' } }],
    }),
  );

  await press(person, 'Check the data');
  const check = within(await step('Check'));
  expect(await check.findByRole('progressbar', { name: 'Checking' })).toBeInTheDocument();
  fake.problems = [aProblem(), aProblem({ line: 31, value: 'nobody' })];
  const { state, counts, problems, teammates, statuses } = aReadyImport();
  fake.work(id, { state, counts, problems, teammates, statuses });
  refocus();
  await press(person, /The customer has no valid email address.*2$/);
  const list = within(await check.findByRole('list', { name: 'The customer has no valid email address' }));
  expect(list.getByText('tickets.csv, line 18')).toBeInTheDocument();
  await person.click(check.getByRole('button', { name: 'Show more' }));
  expect(await list.findByText('tickets.csv, line 31')).toBeInTheDocument();
  await press(person, /^Wrong grind/);
  expect(check.getByText('roastery').tagName).toBe('STRONG');
  expect(check.getByText('Internal note')).toBeInTheDocument();

  const match = within(await step('People and values'));
  expect(match.getByRole('combobox', { name: 'Marek Lindqvist' })).toHaveTextContent('Marek Lindqvist');
  expect(match.getByRole('combobox', { name: 'Zoe Former' })).toHaveTextContent('Keep the name only');
  await choose(person, match.getByRole('combobox', { name: 'Zoe Former' }), 'Ada Okafor');
  await choose(person, match.getByRole('combobox', { name: 'Waiting' }), 'Waiting for Customer');
  // Another check reads the values as they are mapped now.
  expect(await match.findByText(/^You’ve changed something since the last check/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Import 1,238 tickets' })).not.toBeInTheDocument();
  await person.click(match.getByRole('button', { name: 'Check again' }));
  await waitFor(() => expect(fake.imports[0]!.state).toBe('checking'));
  fake.work(id, { state: 'ready' });
  refocus();
  await person.click(await screen.findByRole('checkbox', { name: 'Keep ticket numbers' }));
  await waitFor(() =>
    expect(sent('update').slice(-3)).toEqual([
      { teammates: [{ key: 'zoe', user_id: backend.me.user_id }] },
      { statuses: [{ value: 'Waiting', to: 'waiting_for_customer' }] },
      { options: { keep_numbers: false } },
    ]),
  );
  expect(screen.getByText(/^No emails are sent, no rules run, no tasks are created/)).toBeInTheDocument();
  // The contrast needs a real browser: web/e2e/screens.spec.ts.
  const steps = screen.getByRole('list', { name: 'Steps of the import' });
  const { violations } = await axe.run(steps, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } });
  expect(violations.map(({ id: rule, nodes }) => `${rule} ${nodes[0]?.html}`)).toEqual([]);

  await press(person, 'Import 1,238 tickets');
  expect(await screen.findByRole('progressbar', { name: 'Importing' })).toHaveValue(50);
  const done = { ticket: { found: 1_240, created: 1_238, existing: 0, failed: 2 } };
  fake.work(id, { state: 'done', counts: done, progress: null, undo_until: new Date(Date.now() + 86_000_000).toISOString() });
  refocus();
  const result = within(await step('Import'));
  expect(await result.findByRole('row', { name: 'Tickets 1,238 2' })).toBeInTheDocument();
  expect(result.getByRole('link', { name: 'Open tickets' })).toHaveAttribute('href', '/tickets');
  expect(result.getByText('23 hours left to undo')).toBeInTheDocument();

  await press(person, 'Undo import');
  await confirm(person, 'Undo import');
  expect(await screen.findByRole('progressbar', { name: 'Undoing' })).toBeInTheDocument();
  fake.work(id, { state: 'undone', kept_count: 3, undo_until: null });
  refocus();
  expect(await screen.findByText(/^Kept 3 tickets that were changed/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Undo import' })).not.toBeInTheDocument();
});

it('asks for the address and token of a source with an API, and shows why they are refused', async () => {
  const { person, address } = open();
  await press(person, /^Zammad/);
  await press(person, 'Continue');
  const url = await screen.findByRole('textbox', { name: 'Address' });
  expect(url).toHaveFocus();
  expect(url).toHaveAccessibleDescription(/Enter an address like/);
  await person.type(url, 'https://help.example.com');
  await person.type(screen.getByLabelText('Access token'), 's3cret');
  server.use(http.post(api('/imports'), () => refuse('import.too_many'), { once: true }));
  await press(person, 'Continue');
  expect(await screen.findByText(/^There are 20 imports that have not started/)).toBeInTheDocument();
  await press(person, 'Continue');
  await step('Connection');
  expect(sent('create')).toEqual([{ source: 'zammad', address: 'https://help.example.com', token: 's3cret' }]);
  expect(address()).toBe(`/settings?tab=import&import=${fake.imports[0]?.id}`);
  expect(screen.queryByText('s3cret')).not.toBeInTheDocument();
});

it('reports failed and interrupted uploads, uploads again, and removes them', async () => {
  const interrupted = anImportFile({ file_name: 'half.csv', is_uploaded: false, columns: null, kind: null, mapping: null });
  const { person } = openImport(anImport({ files: [interrupted] }));
  const files = within(await screen.findByRole('list', { name: 'Files' }));
  expect(files.getByText(/^The upload isn’t complete/)).toBeInTheDocument();
  await person.click(files.getByRole('button', { name: 'Remove half.csv' }));
  await waitFor(() => expect(sent('remove file')).toHaveLength(1));

  server.use(http.put(api('/import-files/:token'), () => refuse('service.unavailable'), { once: true }));
  await upload(new File([], 'empty.csv'), aFile('tickets.csv'));
  const failed = within(await screen.findByRole('list', { name: 'Files' }));
  expect(await failed.findByText('This file is empty')).toBeInTheDocument();
  expect(failed.queryByRole('button', { name: 'Upload empty.csv again' })).not.toBeInTheDocument();
  await press(person, 'Upload tickets.csv again');
  await waitFor(() => expect(fake.uploaded).toEqual(['tickets.csv']));
  expect(screen.queryByRole('button', { name: 'Check the data' })).not.toBeInTheDocument();
  await press(person, 'Remove empty.csv');
  expect(await screen.findByRole('button', { name: 'Check the data' })).toBeInTheDocument();
  expect(fake.imports[0]?.files.map(({ file_name }) => file_name)).toEqual(['tickets.csv']);
});

it('shows an uploaded file even if an answer from before the end of its upload arrives later', async () => {
  openImport();
  await step('Upload');
  const asked = Promise.withResolvers<void>();
  server.use(
    http.put(api('/import-files/:token'), () => asked.promise),
    http.get(
      api('/imports/:id'),
      async () => {
        const [before] = fake.imports;
        asked.resolve();
        await screen.findByText('tickets.csv is uploaded');
        return answer(before);
      },
      { once: true },
    ),
  );
  await upload(aFile('tickets.csv'));
  expect(await screen.findByRole('button', { name: 'Check the data' })).toBeInTheDocument();
});

it('shows refused steps and failed changes, with the state that the server has', async () => {
  const { person, current } = openImport(aReadyImport());
  server.use(http.patch(api('/imports/:id'), () => refuse('assignee.not_a_member')));
  await choose(person, await screen.findByRole('combobox', { name: 'Zoe Former' }), 'Ada Okafor');
  expect(await screen.findByText(/^Couldn’t save your choice/)).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Zoe Former' })).toHaveTextContent('Keep the name only'));
  server.use(
    http.post(api('/imports/:id/start'), () => {
      // Another admin was faster.
      fake.work(current.id, { state: 'importing', progress: { done: 1, total: null } });
      return refuse('import.state');
    }),
  );
  await press(person, 'Import 1,238 tickets');
  expect(await screen.findByRole('progressbar', { name: 'Importing' })).toBeInTheDocument();
  await press(person, 'Cancel import');
  await confirm(person, 'Cancel import');
  expect(await screen.findByText('Cancelled')).toBeInTheDocument();
});

it('explains why an import failed, and why it cannot be loaded', async () => {
  const failed = anImport({ source: 'freshdesk', state: 'failed', failure: 'source.encrypted', files: [anImportFile({ kind: null })] });
  const { unmount } = openImport(failed);
  expect(await screen.findByRole('alert')).toHaveTextContent(/The archive is encrypted.*Start a new import/);
  expect(screen.queryByRole('button', { name: 'Remove tickets.csv' })).not.toBeInTheDocument();
  unmount();
  open('&import=unknown');
  expect(await screen.findByText('This import does not exist')).toBeInTheDocument();
});

it('downloads all problems as a CSV file whose values spreadsheets do not evaluate', async () => {
  const { person } = openImport(aReadyImport());
  fake.problems = [aProblem(), aProblem({ code: 'value.replaced', kind: null, key: null, line: 20, value: null })];
  let blob: Blob | undefined;
  URL.createObjectURL = (content) => {
    blob = content as Blob;
    return 'blob:problems';
  };
  URL.revokeObjectURL = () => undefined;
  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await press(person, 'Download as CSV');
  await waitFor(() => expect(click).toHaveBeenCalled());
  click.mockRestore();
  const lines = (await textOf(blob!)).trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toBe(`The customer has no valid email address,Left out,Tickets,17,tickets.csv,18,customer_email,"'=HYPERLINK(""x"")"`);
  expect(lines[2]).toMatch(/,Changed,,,tickets.csv,20,/);
});

it('polls while a worker is busy, and not otherwise', async () => {
  const { current } = openImport(aReadyImport({ state: 'importing', progress: { done: 1, total: 10 } }));
  await screen.findByRole('progressbar', { name: 'Importing' });
  const reads = () => backend.calls.filter((call) => call === `GET /imports/${current.id}`).length;
  fake.work(current.id, { state: 'done', progress: null });
  // The next poll shows it.
  expect(await screen.findByText('Imported, except for 2 records that were left out.')).toBeInTheDocument();
  expect(reads()).toBe(2);
});
