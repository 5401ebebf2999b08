import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { aMember, anId, aSession, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';
import { anEndpoint } from '../testing';
import { aRule, aRun, aTest, FakeRules } from './testing';

let fake: FakeRules;
beforeEach(() => {
  backend.signIn();
  fake = new FakeRules();
  server.use(...fake.handlers());
});

const open = (more = '') => renderApp(`/settings?tab=rules${more}`);
type Person = ReturnType<typeof open>['person'];
const part = async (name: string) => within(await screen.findByRole('region', { name }));
const actionRows = async () => [...(await part('Then')).getByRole('list', { name: 'Actions' }).children] as HTMLElement[];
const choose = async (person: Person, control: HTMLElement, option: string | RegExp) => {
  await person.click(control);
  await person.click(await screen.findByRole('option', { name: option }));
};
const sent = (call: string) => fake.sent.find((each) => each.call === call)?.body;

describe('a new rule', () => {
  it('is created from when, if and then, turned off', async () => {
    const { person, address } = open();
    await person.click(await screen.findByRole('button', { name: /^Start from scratch/ }));
    await person.type(await screen.findByRole('textbox', { name: 'Name' }), ' Refunds ');
    const when = await part('When');
    expect(when.getByRole('checkbox', { name: 'A ticket is created' })).toBeChecked();
    await person.click(when.getByRole('checkbox', { name: 'The customer replies' }));
    await choose(person, (await part('If')).getByRole('combobox', { name: 'Tickets' }), 'Tickets that match all conditions');
    const row = within((await part('If')).getByRole('list', { name: 'Conditions' }));
    await choose(person, row.getByRole('combobox', { name: 'Field' }), 'Subject or message');
    await choose(person, row.getByRole('combobox', { name: 'Comparison' }), 'contains');
    await person.type(row.getByRole('textbox', { name: 'Value' }), 'refund');
    const [first] = await actionRows();
    await choose(person, within(first!).getByRole('combobox', { name: 'Assignee' }), 'Ada Okafor');
    await person.click((await part('Then')).getByRole('button', { name: 'Add action' }));
    const second = within((await actionRows())[1]!);
    await person.type(second.getByLabelText('Tags'), 'refund{Enter}');
    expect(
      screen.getByText(
        (_, element) =>
          element?.tagName === 'P' &&
          /^When a ticket is created or the customer replies and .*“refund”, assign it to Ada Okafor and add the tag refund\.$/.test(
            element.textContent,
          ),
      ),
    ).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Create, turned off' }));
    expect(await screen.findByText('Rule saved, turned off')).toBeInTheDocument();
    expect(sent('create')).toEqual({
      name: 'Refunds',
      triggers: ['ticket_created', 'customer_replied'],
      time: null,
      condition: { all: [{ field: 'text', op: 'contains', value: 'refund' }] },
      actions: [
        { type: 'assign', to: backend.me.user_id },
        { type: 'add_tags', tags: ['refund'] },
      ],
      stops: false,
      runs: 'every_time',
      is_active: false,
    });
    expect(address()).toBe(`/settings?tab=rules&rule=${fake.rules[0]!.id}`);
    expect(await screen.findByText('No runs yet')).toBeInTheDocument();
  });

  it('runs after a number of days', async () => {
    const { person } = open('&rule=new');
    const when = await part('When');
    await person.click(when.getByRole('radio', { name: 'Time passes' }));
    await person.clear(when.getByRole('textbox', { name: 'Amount' }));
    await person.type(when.getByRole('textbox', { name: 'Amount' }), '5');
    await choose(person, when.getByRole('combobox', { name: 'Since' }), 'after your team’s last reply');
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Remind');
    await person.click(screen.getByRole('button', { name: 'Create and turn on' }));
    expect(await screen.findByText('Rule turned on')).toBeInTheDocument();
    expect(sent('create')).toMatchObject({ triggers: ['time_passed'], time: { since: 'staff_replied', hours: 120 }, is_active: true });
  });

  it('shows what is missing, and sends nothing', async () => {
    const { person } = open('&rule=new');
    const when = await part('When');
    await person.click(when.getByRole('checkbox', { name: 'A ticket is created' }));
    const [row] = await actionRows();
    await choose(person, within(row!).getByRole('combobox', { name: 'Action' }), 'Send a reply');
    await person.click(screen.getByRole('button', { name: 'Create and turn on' }));
    for (const message of ['Enter a name', 'Choose at least one event', 'Enter a text'])
      expect(screen.getByText(message)).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    const reply = screen.getByRole('textbox', { name: 'Reply to the customer' });
    await person.click(reply);
    await person.paste('Hi {{agent}}');
    await person.click(screen.getByRole('button', { name: 'Create and turn on' }));
    expect(screen.getByText('{{agent}} isn’t a variable. Choose one from the list below.')).toBeInTheDocument();
    // A rule has no sender.
    expect(screen.queryByRole('button', { name: /agent\.name/ })).not.toBeInTheDocument();
    expect(fake.sent).toEqual([]);
  });

  it('shows the server’s problem at its action, and keeps what was typed', async () => {
    const errors = [{ path: 'actions.0.to', code: 'custom', message: 'Not an active member' }];
    server.use(http.post(api('/rules'), () => refuse('assignee.not_a_member', { errors })));
    const { person } = open('&rule=new');
    await person.type(await screen.findByRole('textbox', { name: 'Name' }), 'Refunds');
    await person.click(screen.getByRole('button', { name: 'Create and turn on' }));
    const [row] = await actionRows();
    expect(await within(row!).findByText('Not an active member')).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Refunds');
  });

  it('has a text per language, and names the language that has an error', async () => {
    const session = aSession(backend.me);
    backend.signIn({ ...session, organization: { ...session.organization!, languages: { default: 'en', offered: ['en', 'de'] } } });
    const { person } = open('&rule=new&template=outside_hours');
    const [row] = await actionRows();
    await choose(person, within(row!).getByRole('combobox', { name: 'Language' }), 'Deutsch (no text)');
    const text = within(row!).getByRole('textbox', { name: 'Reply to the customer' });
    await person.click(text);
    await person.paste('Hallo {{kunde}}');
    await person.click(screen.getByRole('button', { name: 'Create, turned off' }));
    expect(within(row!).getByText(/^Deutsch: \{\{kunde\}\} isn’t a variable/)).toBeInTheDocument();
    await person.clear(text);
    await person.paste('Hallo');
    await person.click(screen.getByRole('button', { name: 'Create, turned off' }));
    await screen.findByText('Rule saved, turned off');
    expect(sent('create')).toMatchObject({ actions: [{ type: 'send_reply', translations: { de: 'Hallo' } }] });
  });

  it('is kept while another page is open', async () => {
    const { person } = open('&rule=new');
    await person.type(await screen.findByRole('textbox', { name: 'Name' }), 'Refunds');
    await person.click(screen.getByRole('link', { name: 'Canned replies' }));
    await screen.findByText('No canned replies yet');
    await person.click(screen.getByRole('link', { name: 'Rules' }));
    await person.click(await screen.findByRole('button', { name: /^Start from scratch/ }));
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Refunds');
  });

  it('has all kinds of actions, accessibly', async () => {
    backend.members = [backend.me, aMember({ email: 'grace@northwind.example', first_name: 'Grace', last_name: 'Hopper' })];
    fake.rules = [
      aRule({
        actions: [
          { type: 'assign', to: null },
          { type: 'set_status', status: 'closed' },
          { type: 'set_priority', priority: 'urgent' },
          { type: 'set_category', category: null },
          { type: 'add_tags', tags: ['a', 'b'] },
          { type: 'remove_tags', tags: ['c'] },
          { type: 'add_watchers', user_ids: backend.members.map(({ user_id }) => user_id) },
          { type: 'remove_watchers', user_ids: [anId()] },
          { type: 'send_reply', content: 'Hello', translations: {} },
          { type: 'add_note', content: 'Note' },
          { type: 'send_to_webhook', endpoint_id: anId() },
        ],
      }),
    ];
    fake.webhooks = [anEndpoint()];
    open(`&rule=${fake.rules[0]!.id}`);
    const head = await screen.findByRole('region', { name: 'Refunds to Ada' });
    expect(head).toHaveTextContent(
      'unassign it, set the status to Closed, set the priority to Urgent, remove the category, add the tags a and b, remove the tag c, ' +
        'add Ada Okafor and Grace Hopper as watchers, remove a former member from the watchers, send a reply, add a note, and send it to a webhook.',
    );
    expect(await actionRows()).toHaveLength(11);
    const { violations } = await axe.run(document.querySelector('#content') ?? document.body, {
      rules: { 'color-contrast': { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual([]);
  });
});

describe('sending tickets to a webhook', () => {
  const warehouse = anEndpoint({ description: 'Warehouse' });
  const webhookRow = async (person: Person) => {
    const row = within((await actionRows())[0]!);
    await choose(person, row.getByRole('combobox', { name: 'Action' }), 'Send to a webhook');
    return row;
  };

  it('names the webhook in the sentence, and must have one', async () => {
    fake.webhooks = [warehouse, anEndpoint({ description: '', url: 'https://hooks.example.com/x' })];
    const { person } = open('&rule=new');
    await person.type(await screen.findByRole('textbox', { name: 'Name' }), 'Damaged parcels');
    const row = await webhookRow(person);
    await person.click(screen.getByRole('button', { name: 'Create, turned off' }));
    expect(row.getByRole('combobox', { name: 'Webhook' })).toHaveAccessibleDescription('Choose a webhook');
    await person.click(row.getByRole('combobox', { name: 'Webhook' }));
    expect(await screen.findByRole('option', { name: 'hooks.example.com/x' })).toBeInTheDocument();
    await person.click(screen.getByRole('option', { name: 'Warehouse' }));
    const sentence = 'When a ticket is created, send it to the webhook Warehouse.';
    expect(screen.getByText((_, element) => element?.tagName === 'P' && element.textContent === sentence)).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Create, turned off' }));
    await screen.findByText('Rule saved, turned off');
    expect(sent('create')).toMatchObject({ actions: [{ type: 'send_to_webhook', endpoint_id: warehouse.id }] });
  });

  it('leads to the webhooks if there are none', async () => {
    const { person } = open('&rule=new');
    await screen.findByRole('textbox', { name: 'Name' });
    const row = await webhookRow(person);
    expect(row.getByRole('link', { name: 'Add a webhook first' })).toHaveAttribute('href', '/settings?tab=webhooks');
  });

  it('says why the rule was turned off, and that the webhook no longer exists', async () => {
    fake.webhooks = [warehouse];
    const disabled_reason = { code: 'webhook_deleted', detail: 'hooks.example.com' } as const;
    fake.rules = [aRule({ is_active: false, disabled_reason, actions: [{ type: 'send_to_webhook', endpoint_id: anId() }] })];
    open(`&rule=${fake.rules[0]!.id}`);
    expect(await screen.findByText(/^Turned off: the webhook at hooks\.example\.com was deleted\./)).toBeInTheDocument();
    const row = within((await actionRows())[0]!);
    expect(row.getByRole('combobox', { name: 'Webhook' })).toHaveAccessibleDescription(
      'This webhook no longer exists. Choose another one.',
    );
  });
});

describe('starter templates', () => {
  it.each([
    ['Reply outside business hours', 'When a ticket is created and it is outside business hours, send a reply.'],
    ['Route by keywords', /^When a ticket is created, if .*“refund” or .*“money back”, assign it to Ada Okafor and add the tag refund\.$/],
    ['Tag by domain', /domain is example\.com, add the tag vip and set the priority to High\.$/],
    [
      'Escalate unanswered urgent tickets',
      /^When 1 hour has passed since the ticket was created and priority is Urgent and .*, add the tag unanswered, add Ada Okafor as a watcher, and add a note\.$/,
    ],
  ])('open the rule “%s” in the editor, complete', async (name, sentence) => {
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: new RegExp(`^${name}`) }));
    await screen.findByRole('textbox', { name: 'Name' });
    const shown = screen.getByText((_, element) => element?.tagName === 'P' && element.textContent.startsWith('When '));
    expect(shown.textContent).toMatch(sentence);
    await person.click(screen.getByRole('button', { name: 'Create, turned off' }));
    expect(await screen.findByText('Rule saved, turned off')).toBeInTheDocument();
  });

  it('create the reminder and the closing rule, both turned off', async () => {
    fake.rules = [aRule()];
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: 'New rule' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New rule' }));
    await person.click(dialog.getByRole('button', { name: /^Close without an answer/ }));
    expect(await screen.findByText('2 rules added, turned off')).toBeInTheDocument();
    const items = within(screen.getByRole('list', { name: 'Rules' })).getAllByRole('listitem');
    expect(items[1]).toHaveTextContent(
      'When 5 days have passed since your team’s last reply and status is Waiting for Customer, send a reply.',
    );
    expect(items[2]).toHaveTextContent(
      'When 7 days have passed since your team’s last reply and status is Waiting for Customer, set the status to Closed.',
    );
    expect(screen.getAllByRole('switch').map((each) => each.getAttribute('aria-checked'))).toEqual(['true', 'false', 'false']);
  });
});

describe('a test', () => {
  it('shows the tickets that would have changed, and why the others would not', async () => {
    const ticket = { id: anId(), ticket_number: 'NC-0042', subject: 'Where is my refund?' };
    fake.test = aTest({
      changed: [
        {
          ticket,
          changes: {
            priority: { from: 'medium', to: 'high' },
            assigned_to: { from: null, to: backend.me.user_id },
            tags: { from: ['a'], to: ['refund'] },
            watchers: { from: [], to: [backend.me.user_id] },
          },
          effects: ['send_reply', 'add_note'],
          problem: 'no_automatic_reply',
        },
      ],
      not_matching: 188,
      not_triggered: 10,
      unaffected: 1,
      most_failed: { condition: { field: 'category', op: 'is', value: 'Billing' }, count: 150 },
    });
    const { person } = open('&rule=new');
    await person.click(await screen.findByRole('button', { name: 'Test the rule' }));
    const card = await part('Test');
    expect(await card.findByText(/^Would have changed/)).toHaveTextContent('Would have changed 1 ticket of the last 200.');
    // Not yet named.
    expect(sent('test')).toMatchObject({ rule: { name: 'Untitled rule', triggers: ['ticket_created'] } });
    expect(card.getByRole('link', { name: /NC-0042/ })).toHaveAttribute('href', `/tickets/${ticket.id}`);
    const row = within(card.getByRole('list', { name: 'Tickets that the rule would have changed' }));
    for (const text of [
      'Priority: Medium → High',
      'Assignee: Unassigned → Ada Okafor',
      '+ refund',
      '− a',
      'Watcher added: Ada Okafor',
      'Sends a reply',
      'Adds a note',
    ])
      expect(row.getByText(text)).toBeInTheDocument();
    expect(row.getByText(/^The reply was skipped/)).toBeInTheDocument();
    for (const text of [
      '188 don’t match the conditions',
      '10 haven’t had the event that starts the rule',
      '1 matches, but needs no change',
      'Most often not met: category is Billing (150 tickets)',
    ])
      expect(card.getByText(text)).toBeInTheDocument();
    expect(fake.rules).toEqual([]);
  });

  it('is marked as outdated after a change, and lists all tickets on request', async () => {
    fake.rules = [aRule()];
    fake.test = aTest({
      changed: Array.from({ length: 12 }, (_, index) => ({
        ticket: { id: anId(), ticket_number: `NC-${index}`, subject: 'Refund' },
        changes: { status: { from: 'open', to: 'closed' } },
        effects: [],
        problem: null,
      })),
      not_matching: 188,
    });
    const { person } = open(`&rule=${fake.rules[0]!.id}`);
    await person.click(await screen.findByRole('button', { name: 'Test the rule' }));
    const card = await part('Test');
    const tickets = async () =>
      within(await card.findByRole('list', { name: 'Tickets that the rule would have changed' })).getAllByRole('link');
    expect(await tickets()).toHaveLength(10);
    await person.click(card.getByRole('button', { name: 'Show all 12' }));
    expect(await tickets()).toHaveLength(12);
    expect(card.queryByText('The rule has changed since this test.')).not.toBeInTheDocument();
    await person.click(screen.getByRole('checkbox', { name: 'Stop after this rule' }));
    expect(card.getByText('The rule has changed since this test.')).toBeInTheDocument();
  });

  it('says that no ticket would have changed', async () => {
    const { person } = open('&rule=new');
    await person.click(await screen.findByRole('button', { name: 'Test the rule' }));
    expect(await (await part('Test')).findByText(/^Would not have changed|^Would have changed/)).toHaveTextContent(
      'Would have changed none of the last 200 tickets.',
    );
  });
});

describe('the page of a rule', () => {
  it('saves the changes, and names what is unsaved', async () => {
    fake.rules = [aRule()];
    const { person } = open(`&rule=${fake.rules[0]!.id}`);
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await person.type(name, '!');
    await person.click(screen.getByRole('checkbox', { name: 'Only once per ticket' }));
    expect(screen.getByText('Unsaved: Name, Options')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Discard' }));
    expect(name).toHaveValue('Refunds to Ada');
    await person.type(name, '!');
    await person.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Rule saved')).toBeInTheDocument();
    expect(sent('update')).toEqual({ name: 'Refunds to Ada!' });
    expect(screen.getByRole('heading', { name: 'Refunds to Ada!' })).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText(/^Unsaved/)).not.toBeInTheDocument());
  });

  it('saves only what the user has changed when another admin has changed the rule meanwhile', async () => {
    fake.rules = [aRule()];
    const [{ id, ...rule }] = fake.rules as [ReturnType<typeof aRule>];
    const { person } = open(`&rule=${id}`);
    await person.click(await screen.findByRole('checkbox', { name: 'Only once per ticket' }));
    await person.click(screen.getByRole('link', { name: 'Canned replies' }));
    fake.rules = [{ ...rule, id, name: 'Refunds', triggers: ['ticket_created', 'customer_replied'] }];
    await person.click(screen.getByRole('link', { name: 'Rules' }));
    await person.click(await screen.findByRole('link', { name: 'Refunds' }));
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Refunds');
    expect(screen.getByRole('checkbox', { name: 'The customer replies' })).toBeChecked();
    expect(screen.getByRole('checkbox', { name: 'Only once per ticket' })).toBeChecked();
    expect(screen.getByText('Unsaved: Options')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent('update')).toEqual({ stops: false, runs: 'once_per_ticket' }));
    expect(fake.rules[0]).toMatchObject({ name: 'Refunds', triggers: ['ticket_created', 'customer_replied'], runs: 'once_per_ticket' });
  });

  it('keeps a nested condition that the form does not show', async () => {
    const condition = { all: [{ any: [{ field: 'has_task' as const, op: 'is' as const, value: true }] }] };
    fake.rules = [aRule({ condition })];
    const { person } = open(`&rule=${fake.rules[0]!.id}`);
    expect(await screen.findByText('This rule has nested conditions, which only the API can change.')).toBeInTheDocument();
    await person.type(screen.getByRole('textbox', { name: 'Name' }), '!');
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent('update')).toEqual({ name: 'Refunds to Ada!' }));
  });

  it('has no unsaved changes when the server orders the members of a condition differently', async () => {
    fake.rules = [aRule({ condition: { all: [{ op: 'contains', field: 'text', value: 'refund' }] } })];
    const { person } = open(`&rule=${fake.rules[0]!.id}`);
    const sentence = /When a ticket is created and the subject or message contains “refund”/;
    const isSentence = (_: string, element: Element | null) => element?.tagName === 'P' && sentence.test(element.textContent);
    expect(await screen.findAllByText(isSentence)).toHaveLength(1);
    expect(screen.queryByText(/^Unsaved/)).not.toBeInTheDocument();
    await person.click(screen.getByRole('checkbox', { name: 'The customer replies' }));
    expect(screen.getByText('Unsaved: When')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent('update')).toEqual({ triggers: ['ticket_created', 'customer_replied'], time: null }));
  });

  it('lists its runs with links to the tickets', async () => {
    fake.rules = [aRule()];
    fake.runs = [
      aRun(),
      aRun({ trigger: 'customer_replied', changes: {}, effects: ['add_note', 'send_reply', 'add_note'] }),
      aRun({ problem: 'no_assignee' }),
    ];
    const { person } = open(`&rule=${fake.rules[0]!.id}`);
    const list = within(await screen.findByRole('list', { name: 'Runs, newest first' }));
    expect(list.getAllByRole('link')[0]).toHaveAttribute('href', `/tickets/${fake.runs[0]!.ticket.id}`);
    expect(list.getByText('Priority: Medium → High')).toBeInTheDocument();
    expect(list.getByText('The customer replies')).toBeInTheDocument();
    expect(list.getByText('Reply sent')).toBeInTheDocument();
    expect(list.getByText('Note added twice')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await list.findByText('No active member could be assigned.')).toBeInTheDocument();
  });

  it('is copied to a new rule', async () => {
    fake.rules = [aRule({ stops: true })];
    const { person } = open(`&rule=${fake.rules[0]!.id}`);
    await person.click(await screen.findByRole('button', { name: 'Actions for Refunds to Ada' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Duplicate' }));
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Copy of Refunds to Ada');
    expect(screen.getByRole('checkbox', { name: 'Stop after this rule' })).toBeChecked();
  });

  it('shows which member was deactivated', async () => {
    const gone = aMember({ email: 'grace@northwind.example', first_name: 'Grace', last_name: 'Hopper', is_active: false });
    backend.members = [backend.me, gone];
    fake.rules = [
      aRule({
        is_active: false,
        disabled_reason: { code: 'member_inactive', detail: 'Grace Hopper' },
        actions: [{ type: 'assign', to: gone.user_id }],
      }),
    ];
    const { person } = open(`&rule=${fake.rules[0]!.id}`);
    expect(await screen.findByText(/^Turned off: Grace Hopper isn’t an active member/)).toBeInTheDocument();
    const [row] = await actionRows();
    expect(within(row!).getByRole('combobox', { name: 'Assignee' })).toHaveTextContent('Grace Hopper');
    await choose(person, within(row!).getByRole('combobox', { name: 'Assignee' }), 'Next agent in turn');
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Rule saved');
    await person.click(screen.getByRole('switch', { name: 'Off' }));
    await waitFor(() => expect(screen.queryByText(/^Turned off/)).not.toBeInTheDocument());
  });

  it('says that a deleted rule does not exist', async () => {
    const { person, address } = open(`&rule=${anId()}`);
    await person.click(await screen.findByRole('link', { name: 'All rules' }));
    expect(address()).toBe('/settings?tab=rules');
  });
});
