import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { aMember, aSession, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';
import { aRule, FakeRules } from './testing';

let fake: FakeRules;
beforeEach(() => {
  backend.signIn();
  fake = new FakeRules();
  server.use(...fake.handlers());
});

const open = (more = '') => renderApp(`/settings?tab=rules${more}`);
const list = async () => within(await screen.findByRole('list', { name: 'Rules' }));
const items = async () => (await list()).getAllByRole('listitem');
const names = async () => (await list()).getAllByRole('link').map(({ textContent }) => textContent);
type Person = ReturnType<typeof open>['person'];
const openMenu = async (person: Person, rule: string, entry: string) => {
  await person.click(await screen.findByRole('button', { name: `Actions for ${rule}` }));
  await person.click(await screen.findByRole('menuitem', { name: entry }));
};
// jsdom has no pointer events with positions.
const point = (target: Window | Element, type: string, clientY: number) =>
  fireEvent(target, new MouseEvent(type, { bubbles: true, cancelable: true, button: 0, clientY }));
const drag = (name: string, from: number, to: number) => {
  point(screen.getByRole('button', { name: `Move ${name}` }), 'pointerdown', from);
  point(window, 'pointermove', to);
};
/** Rows of 100 pixels, the first at 200. */
const layOut = (rows: HTMLElement[]) =>
  jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const at = rows.indexOf(this as HTMLElement);
    return (at < 0 ? { top: 0, bottom: 2_000 } : { top: 200 + at * 100, bottom: 300 + at * 100, height: 100 }) as DOMRect;
  });
const three = () => ['First', 'Second', 'Third'].map((name, index) => aRule({ name, position: index + 1 }));

describe('the list of rules', () => {
  it('moves the focus to the page of a rule, and back to its row', async () => {
    fake.rules = three();
    const { person } = open();
    await person.click(await screen.findByRole('link', { name: 'Second' }));
    const heading = await screen.findByRole('heading', { name: 'Second' });
    expect(document.activeElement).toContainElement(heading);
    expect(document.body).not.toHaveFocus();
    await person.click(screen.getByRole('link', { name: 'All rules' }));
    expect(await screen.findByRole('link', { name: 'Second' })).toHaveFocus();
  });

  it('counts actions that a rule repeats', async () => {
    const note = { type: 'add_note' as const, content: 'Call back' };
    fake.rules = [aRule({ actions: [note, { type: 'add_tags', tags: ['refund'] }, note] })];
    open();
    expect((await items())[0]).toHaveTextContent('category is Billing, add a note twice and add the tag refund.');
  });

  it('shows each rule as a sentence, with its runs', async () => {
    fake.rules = [aRule(), aRule({ name: 'Close', is_active: false, run_count: 0, last_run_at: null })];
    open();
    const [first, second] = await items();
    expect(first).toHaveTextContent('When a ticket is created and category is Billing, assign it to Ada Okafor and add the tag refund.');
    expect(first).toHaveTextContent('Ran 34 times in 30 days, last 2h ago');
    expect(screen.getByRole('switch', { name: 'Refunds to Ada is on' })).toBeChecked();
    expect(second).toHaveTextContent('No runs in 30 days');
    expect(screen.getByRole('switch', { name: 'Close is on' })).not.toBeChecked();
    const { violations } = await axe.run(screen.getByRole('region', { name: 'Rules' }), {
      rules: { 'color-contrast': { enabled: false } },
    });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  it.each([
    [
      { triggers: ['time_passed'] as const, time: { since: 'staff_replied' as const, hours: 120 }, condition: { all: [] } },
      'When 5 days have passed since your team’s last reply, assign it to Ada Okafor.',
    ],
    [
      { triggers: ['time_passed'] as const, time: { since: 'created' as const, hours: 1 }, condition: { all: [] } },
      'When 1 hour has passed since the ticket was created, assign it to Ada Okafor.',
    ],
    [
      { triggers: ['ticket_updated', 'customer_replied'] as const, condition: { all: [] }, stops: true },
      'When a ticket is updated or the customer replies, assign it to Ada Okafor, then stop.',
    ],
  ])('describes when a rule runs: %#', async (rule, sentence) => {
    fake.rules = [aRule({ ...rule, triggers: [...rule.triggers], actions: [{ type: 'assign', to: backend.me.user_id }] })];
    open();
    expect((await items())[0]).toHaveTextContent(sentence);
  });

  it('says why a rule was turned off and what went wrong, and turns it on again', async () => {
    fake.rules = [
      aRule({ is_active: false, disabled_reason: { code: 'member_inactive', detail: 'Grace Hopper' } }),
      aRule({ name: 'Reply', last_error: { code: 'cut_off', ticket_id: 'a-ticket', at: new Date().toISOString() } }),
    ];
    const { person } = open();
    const [first, second] = await items();
    expect(first).toHaveTextContent('Turned off: Grace Hopper isn’t an active member.');
    expect(second).toHaveTextContent('Some actions were skipped: more than 50 followed one change.');
    expect(within(second!).getByRole('link', { name: 'Open the ticket' })).toHaveAttribute('href', '/tickets/a-ticket');
    await person.click(screen.getByRole('switch', { name: 'Refunds to Ada is on' }));
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Refunds to Ada is on' })).toBeChecked());
    expect(fake.sent).toEqual([{ call: 'update', body: { is_active: true } }]);
    expect(first).not.toHaveTextContent('Turned off');
  });

  it('reports a rule that could not be turned on', async () => {
    fake.rules = [aRule({ is_active: false })];
    server.use(http.patch(api('/rules/:id'), () => refuse('assignee.not_a_member')));
    const { person } = open();
    await person.click(await screen.findByRole('switch', { name: 'Refunds to Ada is on' }));
    expect(await screen.findByText(/^Couldn’t update the rule\./)).toBeInTheDocument();
    expect(screen.getByRole('switch', { name: 'Refunds to Ada is on' })).not.toBeChecked();
  });

  it('shows an error with a retry if it cannot be loaded', async () => {
    server.use(http.get(api('/rules'), () => refuse('permission.denied'), { once: true }));
    const { person } = open();
    expect(await screen.findByText('Couldn’t load the rules')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('No rules yet')).toBeInTheDocument();
  });

  it('shows an error with a retry if the members cannot be loaded', async () => {
    fake.rules = [aRule()];
    server.use(http.get(api('/team/members'), () => refuse('permission.denied'), { once: true }));
    const { person } = open();
    expect(await screen.findByText('Couldn’t load the rules')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await items()).toHaveLength(1);
  });
});

describe('the order of the rules', () => {
  it('changes with the arrow keys, is saved once and can be undone', async () => {
    fake.rules = three();
    const [first, second, third] = fake.rules.map(({ id }) => id);
    const { person } = open();
    (await screen.findByRole('button', { name: 'Move First' })).focus();
    await person.keyboard('{ArrowUp}{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(await names()).toEqual(['Second', 'Third', 'First']);
    expect(screen.getByRole('button', { name: 'Move First' })).toHaveFocus();
    expect(screen.getByRole('button', { name: 'Move First' })).toHaveAccessibleDescription(/up and down arrow keys/);
    expect(await screen.findByText('Rules reordered')).toBeInTheDocument();
    expect(fake.sent).toEqual([{ call: 'order', body: [second, third, first] }]);
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect(await names()).toEqual(['First', 'Second', 'Third']));
  });

  it('changes by dragging', async () => {
    fake.rules = three();
    open();
    const rows = await items();
    const boxes = layOut(rows);
    drag('Third', 450, 240);
    expect(rows[2]!.style.transform).toBe('translateY(-210px)');
    expect(rows[0]!.style.transform).toBe('translateY(100px)');
    point(window, 'pointerup', 240);
    boxes.mockRestore();
    expect(await names()).toEqual(['Third', 'First', 'Second']);
    await waitFor(() => expect(fake.sent).toHaveLength(1));
  });

  it('stays if dragging is cancelled', async () => {
    fake.rules = three();
    open();
    const rows = await items();
    const boxes = layOut(rows);
    drag('Third', 450, 240);
    expect(rows[2]!.style.transform).toBe('translateY(-210px)');
    fireEvent.keyDown(window, { key: 'Escape' });
    point(window, 'pointerup', 240);
    boxes.mockRestore();
    expect(await names()).toEqual(['First', 'Second', 'Third']);
    expect(rows[2]!.style.transform).toBe('');
  });

  it('changes from the menu, for those who cannot drag', async () => {
    fake.rules = three();
    const { person } = open();
    await openMenu(person, 'Third', 'Move up');
    expect(await names()).toEqual(['First', 'Third', 'Second']);
  });

  it('is saved when the user leaves the page', async () => {
    fake.rules = three();
    const { person } = open();
    (await screen.findByRole('button', { name: 'Move First' })).focus();
    await person.keyboard('{End}');
    await person.click(screen.getByRole('link', { name: 'Canned replies' }));
    await waitFor(() => expect(fake.sent).toHaveLength(1));
  });

  it('is saved when the user closes the tab', async () => {
    fake.rules = three();
    const { person } = open();
    await screen.findByRole('button', { name: 'Move First' });
    screen.getByRole('button', { name: 'Move First' }).focus();
    await person.keyboard('{ArrowDown}');
    act(() => void dispatchEvent(new Event('pagehide')));
    expect(await screen.findByText('Rules reordered')).toBeInTheDocument();
    expect(fake.sent).toHaveLength(1);
  });

  it('is restored if another admin has added a rule', async () => {
    fake.rules = three();
    const { person } = open();
    (await screen.findByRole('button', { name: 'Move First' })).focus();
    fake.rules = [...fake.rules, aRule({ name: 'Fourth' })];
    await person.keyboard('{End}');
    expect(await screen.findByText(/^Couldn’t reorder the rules\./)).toBeInTheDocument();
    await waitFor(async () => expect(await names()).toEqual(['First', 'Second', 'Third', 'Fourth']));
  });
});

describe('deleting a rule', () => {
  it('turns it off, and deletes it when the offer to undo ends', async () => {
    fake.rules = three();
    const { id } = fake.rules[1]!;
    const { person } = open();
    await openMenu(person, 'Second', 'Delete');
    expect(await screen.findByText('Rule deleted')).toBeInTheDocument();
    expect(await names()).toEqual(['First', 'Third']);
    await waitFor(() => expect(screen.getByRole('link', { name: 'Third' })).toHaveFocus());
    expect(fake.sent).toEqual([{ call: 'update', body: { is_active: false } }]);
    act(() => void dispatchEvent(new Event('pagehide')));
    await waitFor(() => expect(fake.sent.at(-1)).toEqual({ call: 'delete', body: id }));
  });

  it('can be undone, which turns it on again', async () => {
    fake.rules = three();
    const { person } = open();
    await openMenu(person, 'Second', 'Delete');
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await names()).toEqual(['First', 'Second', 'Third']);
    await waitFor(() => expect(fake.rules[1]?.is_active).toBe(true));
    act(() => void dispatchEvent(new Event('pagehide')));
    // Requests arrive in their order: a deletion would be before this one.
    await person.click(screen.getByRole('switch', { name: 'First is on' }));
    await waitFor(() => expect(fake.sent.at(-1)).toEqual({ call: 'update', body: { is_active: false } }));
    expect(fake.sent.map(({ call }) => call)).toEqual(['update', 'update', 'update']);
  });

  it('does not prevent reordering the others', async () => {
    fake.rules = three();
    const [first, second, third] = fake.rules.map(({ id }) => id);
    const { person } = open();
    await openMenu(person, 'Second', 'Delete');
    await screen.findByText('Rule deleted');
    screen.getByRole('button', { name: 'Move First' }).focus();
    await person.keyboard('{ArrowDown}');
    await waitFor(() => expect(fake.sent.at(-1)).toEqual({ call: 'order', body: [third, first, second] }));
  });
});

describe('managers', () => {
  beforeEach(() => backend.signIn(aSession(aMember({ role: 'manager' }))));

  it('read the rules and their runs', async () => {
    fake.rules = [aRule()];
    const { person } = open();
    expect((await items())[0]).toHaveTextContent(/add the tag refund/);
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Move|Actions|New rule/ })).not.toBeInTheDocument();
    await person.click(screen.getByRole('link', { name: 'Refunds to Ada' }));
    expect(await screen.findByRole('heading', { name: 'Runs' })).toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
  });

  it('cannot create rules', async () => {
    open('&rule=new');
    expect(await screen.findByText('This rule doesn’t exist')).toBeInTheDocument();
  });

  it('are redirected from the other settings', async () => {
    const { address } = renderApp('/settings?tab=sla');
    await waitFor(() => expect(address()).toBe('/dashboard'));
  });
});

it('redirects agents', async () => {
  backend.signIn(aSession(aMember({ role: 'agent' })));
  // The dashboard is not part of this test.
  server.use(http.get(api('/analytics/me'), () => refuse('service.unavailable')));
  const { address } = open();
  await waitFor(() => expect(address()).toBe('/dashboard'));
});
