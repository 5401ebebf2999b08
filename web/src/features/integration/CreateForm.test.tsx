import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { api, refuse, server } from '../../testing/server';
import { TaskToolServer } from './testing';

let tool: TaskToolServer;
let person: ReturnType<typeof renderApp>['person'];
beforeEach(() => {
  backend.signIn();
  tool = new TaskToolServer().start().connect();
});
async function openForm() {
  ({ person } = renderApp('/integration'));
  await screen.findByRole('region', { name: 'Create integration' });
}
const select = (name: string) => screen.getByRole('combobox', { name });
async function choose(name: string, option: string) {
  await waitFor(() => expect(select(name)).toBeEnabled());
  await person.click(select(name));
  await person.click(await screen.findByRole('option', { name: option }));
}
async function chooseList() {
  await choose('Workspace', 'Northwind');
  await choose('Space', 'Support');
  await choose('List', 'Requests');
}
const create = () => screen.getByRole('button', { name: 'Create integration' });
const calls = (start: string) => backend.calls.filter((call) => call.startsWith(start));

describe('the cascade', () => {
  it('enables each choice after the previous one, and the button after the last', async () => {
    await openForm();
    expect(select('Space')).toBeDisabled();
    expect(select('List')).toBeDisabled();
    expect(create()).toBeDisabled();
    await choose('Workspace', 'Northwind');
    await waitFor(() => expect(calls('GET /task-tool/spaces')).toEqual(['GET /task-tool/spaces?provider=clickup&workspace_id=w1']));
    expect(select('List')).toBeDisabled();
    await choose('Space', 'Support');
    expect(create()).toBeDisabled();
    await choose('List', 'Folder / Bugs');
    await waitFor(() => expect(create()).toBeEnabled());
  });

  it('clears space, lists and list when the workspace changes', async () => {
    await openForm();
    await chooseList();
    await choose('Workspace', 'Private');
    await waitFor(() => expect(select('Space')).toHaveTextContent('No spaces'));
    expect(select('List')).toHaveTextContent('Choose the space first');
    expect(create()).toBeDisabled();
    expect(screen.queryByRole('region', { name: 'Statuses' })).not.toBeInTheDocument();
  });

  it('clears only the list when the space changes', async () => {
    await openForm();
    await chooseList();
    await choose('Space', 'Roastery');
    expect(select('Workspace')).toHaveTextContent('Northwind');
    await waitFor(() => expect(select('List')).toHaveTextContent('Select list'));
    expect(create()).toBeDisabled();
    await person.click(select('List'));
    expect(await screen.findByRole('option', { name: 'Beans' })).toBeInTheDocument();
    expect(screen.queryByRole('option', { name: 'Requests' })).not.toBeInTheDocument();
  });

  it('skips levels that a tool does not have', async () => {
    tool.connections = [];
    tool.connect({ provider: 'github' });
    await openForm();
    expect(screen.queryByRole('combobox', { name: 'Space' })).not.toBeInTheDocument();
    await choose('Owner', 'Northwind');
    await choose('Repository', 'website');
    expect(calls('GET /task-tool/lists?')).toEqual(['GET /task-tool/lists?provider=github&workspace_id=w1']);
    const fields = within(await screen.findByRole('region', { name: 'Fields' }));
    expect(fields.getAllByRole('listitem')).toHaveLength(3);
    expect(fields.queryByText(/Custom fields/)).not.toBeInTheDocument();
    await person.click(create());
    expect(await screen.findByText('Integration created successfully')).toBeInTheDocument();
    expect(tool.bodies).toEqual([expect.objectContaining({ provider: 'github', space_id: null, space_name: null, list_id: 'r1' })]);
  });

  it('shows what could not be loaded, with a retry', async () => {
    server.use(
      http.get(api('/task-tool/spaces'), () => refuse('task_tool.list_not_found'), { once: true }),
      http.get(api('/task-tool/lists'), () => refuse('task_tool.list_not_found'), { once: true }),
    );
    await openForm();
    await choose('Workspace', 'Northwind');
    expect(await screen.findByText('Failed to load spaces')).toBeInTheDocument();
    expect(screen.getByText('Error')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Try Again' }));
    await choose('Space', 'Support');
    expect(await screen.findByText('Failed to load lists')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Try Again' }));
    await choose('List', 'Requests');
  });

  it('requires a selection on submit', async () => {
    await openForm();
    fireEvent.submit(create().closest('form')!);
    expect(await screen.findByText('Please select workspace, space, and list')).toBeInTheDocument();
    expect(tool.bodies).toEqual([]);
  });
});

describe('the request', () => {
  const place = {
    workspace_id: 'w1',
    workspace_name: 'Northwind',
    space_id: 's1',
    space_name: 'Support',
    list_id: 'l1',
    list_name: 'Requests',
  };

  it('creates the suggested mapping unchanged, with empty field mappings', async () => {
    await openForm();
    await chooseList();
    await screen.findByRole('region', { name: 'Statuses' });
    await person.click(create());
    expect(await screen.findByText('Success')).toBeInTheDocument();
    expect(screen.getByText('Integration created successfully')).toBeInTheDocument();
    expect(tool.bodies).toEqual([
      {
        provider: 'clickup',
        ...place,
        field_mappings: {},
        status_mappings: tool.list.proposed_statuses,
        rules: { create: 'all', categories: [], tags: [], priorities: [] },
        comment_sync: 'both',
        conflict_rule: 'latest',
        on_task_finished: 'tell_customer',
        finished_reply: null,
      },
    ]);
  });

  it('resets the form and shows the new integration', async () => {
    await openForm();
    await chooseList();
    await person.click(await screen.findByRole('button', { name: 'Create integration' }));
    const list = await screen.findByRole('list', { name: 'Active Integrations' });
    expect(within(list).getByRole('heading', { name: /Requests/ })).toBeInTheDocument();
    expect(select('Workspace')).toHaveTextContent('Select workspace');
    expect(select('Space')).toBeDisabled();
    expect(create()).toBeDisabled();
  });

  it('contains the chosen statuses, fields and settings', async () => {
    await openForm();
    await chooseList();
    expect(await screen.findAllByText('Not sent until you choose a status')).toHaveLength(2);
    await choose('Status for Waiting for Customer', 'in progress');
    expect(screen.getAllByText('Not sent until you choose a status')).toHaveLength(1);
    await choose('Status for Open', 'Do not send');
    expect(select('Meaning of complete')).toHaveTextContent('The work is finished');
    await choose('Meaning of complete', 'Not planned');
    await choose('Direction of Tags', 'Both ways');
    await choose('Direction of Description', 'Not at all');
    // Sent explicitly: otherwise the server would choose the field that looks suitable.
    await choose('Where to put the customer’s email', 'A line in the description');
    await person.click(screen.getByText('More settings'));
    await choose('Which tickets become tasks', 'New tickets that match');
    await person.type(screen.getByLabelText('Categories'), 'Bug{Enter}');
    await choose('Comments', 'No comments');
    await choose('If both sides change the same field', 'The ticket wins');
    await choose('When a task is finished', 'Also set the ticket’s status');
    fireEvent.change(screen.getByLabelText('Drafted reply to the customer'), { target: { value: 'Done: {subject}' } });
    expect(screen.getByRole('note')).toHaveTextContent('Done: Order arrived with the wrong grind');
    await person.click(create());
    await screen.findByText('Integration created successfully');
    expect(tool.bodies).toEqual([
      expect.objectContaining({
        status_mappings: { ...tool.list.proposed_statuses, waiting_for_customer: 'in progress', open: null },
        field_mappings: {
          tags: { direction: 'both' },
          description: { direction: 'off' },
          customer_email: { direction: 'to_task', field_id: null },
        },
        rules: { create: 'matching', categories: ['Bug'], tags: [], priorities: [] },
        closed_meanings: { 3: 'not_planned' },
        comment_sync: 'none',
        conflict_rule: 'help_desk',
        on_task_finished: 'set_status',
        finished_reply: 'Done: {subject}',
      }),
    ]);
  });

  it('has no mapping if the list could not be read', async () => {
    server.use(http.get(api('/task-tool/lists/:id'), () => refuse('task_tool.list_not_found')));
    await openForm();
    await chooseList();
    expect(await screen.findByText('Couldn’t load the list’s statuses')).toBeInTheDocument();
    await person.click(create());
    await screen.findByText('Integration created successfully');
    expect(tool.bodies[0]).not.toHaveProperty('status_mappings');
  });

  it('stays in the form after a rejection, with the reason', async () => {
    server.use(http.post(api('/task-tool/integrations'), () => refuse('integration.exists')));
    await openForm();
    await chooseList();
    await choose('Status for Closed', 'complete');
    await person.click(create());
    expect(await screen.findByText('Failed to create integration')).toBeInTheDocument();
    expect(screen.getByText('This list is already integrated')).toBeInTheDocument();
    expect(select('Status for Closed')).toHaveTextContent('complete');
  });
});

it('inserts variables at the cursor and can be reset to the default text', async () => {
  await openForm();
  await chooseList();
  await person.click(await screen.findByText('More settings'));
  const reply = screen.getByLabelText('Drafted reply to the customer');
  const ours = (reply as HTMLTextAreaElement).value;
  await person.clear(reply);
  await person.type(reply, 'About : it is done');
  (reply as HTMLTextAreaElement).setSelectionRange(6, 6);
  await person.click(screen.getByRole('button', { name: '{task_title}' }));
  expect(reply).toHaveValue('About {task_title}: it is done');
  await waitFor(() => expect(reply).toHaveFocus());
  await person.click(screen.getByRole('button', { name: 'Restore the default text' }));
  expect(reply).toHaveValue(ours);
});

it('offers only directions that a field supports', async () => {
  await openForm();
  await chooseList();
  await person.click(await screen.findByRole('combobox', { name: 'Direction of Due time' }));
  const options = (await screen.findAllByRole('option')).map(({ textContent }) => textContent);
  expect(options).toEqual(['Ticket to task', 'Not at all']);
});

it('mentions that custom fields with the same name are filled in', async () => {
  await openForm();
  await chooseList();
  const fields = within(await screen.findByRole('region', { name: 'Fields' }));
  expect(fields.getByText('Custom fields with the same name in ClickUp are filled in from the ticket.')).toBeInTheDocument();
});

it('has no accessibility violations with everything open', async () => {
  await openForm();
  await chooseList();
  await person.click(await screen.findByText('More settings'));
  await choose('Which tickets become tasks', 'New tickets that match');
  const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } });
  expect(violations.map(({ id }) => id)).toEqual([]);
});
