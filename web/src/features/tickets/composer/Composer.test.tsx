import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { dropUnsentWork } from '../../../lib/session-cleanup';
import { publishReplyDrafted, publishTicketChange } from '../../../lib/ticket-changes';
import { aComment, aCustomField, aMacro, aMember, aSession, aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { applied, breakLine, format, type Format } from '../../../app/formatting/formatting';
import { insertPictures, uniqueNames, withoutPicture } from '../../../app/formatting/picture-edits';

beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket({ ticket_number: 'NC-0042' })];
});
const ticket = () => backend.tickets[0]!;
const open = () => renderApp(`/tickets/${ticket().id}`);
const conversation = () => within(screen.getByRole('list', { name: 'Conversation' }));
const reply = () => screen.findByRole('textbox', { name: 'Public reply' });
const sent = () => backend.comments.map(({ content }) => content);
const posts = () => backend.calls.filter((call) => call.startsWith('POST /tickets/') && call.endsWith('/comments'));

it('returns a waiting text to the composer on undo, without sending it', async () => {
  const { person } = open();
  await person.type(await reply(), 'Too early');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await waitFor(() => expect(conversation().getByText('Too early')).toBeInTheDocument());
  expect(conversation().getByText(/Sending in (10|9) s/)).toBeInTheDocument();
  await person.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await reply()).toHaveValue('Too early');
  expect(conversation().queryByText('Too early')).not.toBeInTheDocument();
  expect(posts()).toEqual([]);
});

it('puts an undone text before newer input', async () => {
  const { person } = open();
  await person.type(await reply(), 'First');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.type(await reply(), 'Second');
  await person.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await reply()).toHaveValue('First\n\nSecond');
});

it('sends waiting texts when the page is closed, and keeps their draft until then', async () => {
  const { person } = open();
  await person.type(await reply(), 'Going home');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await waitFor(() => expect(backend.drafts.get(ticket().id)?.content).toBe('Going home'));
  act(() => void window.dispatchEvent(new Event('pagehide')));
  await waitFor(() => expect(sent()).toEqual(['Going home']));
});

it('still sends after the user navigates elsewhere in the app', async () => {
  const { person, unmount } = open();
  await person.type(await reply(), 'On its way');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  unmount();
  open();
  expect(await screen.findByText('On its way')).toBeInTheDocument();
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(sent()).toEqual(['On its way']));
  await waitFor(async () => expect(await reply()).toHaveValue(''));
});

it('does not send an outdated reply, shows who wrote in the meantime, and sends it on confirmation', async () => {
  const first = aComment(ticket(), { content: 'Known', user_id: backend.members[1]!.user_id });
  backend.comments = [first];
  const { person } = open();
  await screen.findByText('Known');
  await person.type(await reply(), 'My answer');
  backend.comments.push(aComment(ticket(), { content: 'Just in', user_id: backend.members[1]!.user_id }));
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  const note = await screen.findByRole('alert');
  await waitFor(() => expect(note).toHaveTextContent('Marek Lindqvist wrote in the meantime'));
  const news = conversation().getByText('Just in').closest('article')!;
  expect(within(news).getByText('New')).toBeInTheDocument();
  expect(sent()).toEqual(['Known', 'Just in']);
  await person.click(screen.getByRole('button', { name: 'Send anyway' }));
  await waitFor(() => expect(sent()).toEqual(['Known', 'Just in', 'My answer']));
});

it('resolves with the reply in one step', async () => {
  const { person } = open();
  await person.type(await reply(), 'Done');
  await person.click(screen.getByRole('button', { name: 'More ways to send' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Send and resolve' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(ticket().status).toBe('resolved'));
  expect(posts()).toHaveLength(1);
});

it('offers teammates after an @ and sends the mentions that the text still contains', async () => {
  backend.members.push(aMember({ first_name: 'Priya', last_name: 'Raman', email: 'priya@northwind.example' }));
  const { person } = open();
  await person.type(await reply(), 'Ask @mar');
  const list = await screen.findByRole('listbox', { name: 'Mention a teammate' });
  expect(within(list).getAllByRole('option')).toHaveLength(1);
  expect(await reply()).toHaveAttribute('aria-activedescendant', within(list).getByRole('option').id);
  await person.keyboard('{Enter}');
  await waitFor(async () => expect(await reply()).toHaveValue('Ask @Marek Lindqvist '));
  await person.type(await reply(), 'and @Pri');
  await person.click(await screen.findByRole('option', { name: /Priya Raman/ }));
  await waitFor(async () => expect(await reply()).toHaveValue('Ask @Marek Lindqvist and @Priya Raman '));
  fireEvent.change(await reply(), { target: { value: 'Ask @Priya Raman' } });
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(backend.comments[0]?.mentions).toEqual([backend.members[2]!.user_id]));
});

it('inserts a filled canned reply with its changes, each of which can be removed', async () => {
  backend.macros = [
    aMacro({
      name: 'Shipped',
      content: 'Hello {{customer.name}}, {{ticket.number}} is on its way.',
      changes: { status: 'resolved', priority: 'low' },
    }),
    aMacro({ name: 'Refund', content: 'Money back' }),
  ];
  const { person } = open();
  await person.type(await reply(), '/');
  await person.type(await screen.findByRole('combobox', { name: 'Search canned replies' }), 'ship');
  expect(await screen.findByRole('option', { name: /Shipped/ })).toHaveTextContent('Hello Jonas Weber, NC-0042 is on its way.');
  expect(screen.queryByRole('option', { name: /Refund/ })).not.toBeInTheDocument();
  await person.keyboard('{Enter}');
  expect(await reply()).toHaveValue('Hello Jonas Weber, NC-0042 is on its way.');
  await person.click(await screen.findByRole('button', { name: 'Do not change: Priority: Low' }));
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(ticket()).toMatchObject({ status: 'resolved', priority: 'medium' }));
});

it('applies the custom fields of canned replies together, except deleted ones and those that the user removes', async () => {
  backend.customFields = [
    aCustomField({ key: 'order', label: 'Order number' }),
    aCustomField({ key: 'carrier', label: 'Carrier' }),
    aCustomField({ key: 'note', label: 'Note' }),
  ];
  ticket().custom_fields = { note: 'Old', order: '1' };
  backend.macros = [
    aMacro({ name: 'Shipped', content: 'Sent.', changes: { custom_fields: { carrier: 'Post', note: null, gone: 'x' } } }),
    aMacro({ name: 'Number', content: 'See above.', changes: { custom_fields: { order: '2' } } }),
  ];
  // Until the fields have loaded, a canned reply would contain the value of the deleted one.
  const loaded = Promise.withResolvers<void>();
  server.use(http.get(api('/custom-fields'), () => loaded.promise));
  const { person } = open();
  await reply();
  await person.click(screen.getByRole('button', { name: 'Canned replies' }));
  await waitFor(() => expect(backend.calls).toContain('GET /custom-fields'));
  await expect(screen.findByRole('option', { name: /Shipped/ }, { timeout: 500 })).rejects.toThrow('Unable to find role="option"');
  loaded.resolve();
  await person.click(await screen.findByRole('option', { name: /Shipped/ }));
  const insert = async (name: string) => {
    await reply();
    await person.click(screen.getByRole('button', { name: 'Canned replies' }));
    await person.click(await screen.findByRole('option', { name: new RegExp(name) }));
  };
  await insert('Number');
  const changes = within(await screen.findByRole('list', { name: 'Changes with this comment' }));
  expect(changes.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Carrier: Post',
    'Note: cleared',
    'Order number: 2',
  ]);
  await person.click(changes.getByRole('button', { name: 'Do not change: Order number: 2' }));
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(ticket().custom_fields).toEqual({ carrier: 'Post', order: '1' }));
});

it('inserts a canned reply in the language of the ticket, and finds it by this text', async () => {
  ticket().language = 'de';
  backend.macros = [
    aMacro({ name: 'Shipped', content: 'On its way.', translations: { de: 'Unterwegs, {{customer.name}}.', fr: 'En route.' } }),
    aMacro({ name: 'Untranslated', content: 'Not unterwegs' }),
  ];
  const { person } = open();
  await person.type(await reply(), '/');
  await person.type(await screen.findByRole('combobox', { name: 'Search canned replies' }), 'unterwegs');
  expect(await screen.findByRole('option', { name: /Untranslated/ })).toHaveTextContent('Not unterwegs');
  await person.click(screen.getByRole('option', { name: /Shipped/ }));
  expect(await reply()).toHaveValue('Unterwegs, Jonas Weber.');
});

it('shows the newer draft of another device', async () => {
  backend.drafts.set(ticket().id, { content: 'From my phone', is_internal: true, updated_at: new Date().toISOString(), token: null });
  open();
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Internal note' })).toHaveValue('From my phone'));
});

describe('a reply that an assistant has drafted', () => {
  const token = { id: '0192f0c1-0000-7000-8000-0000000000aa', name: 'Claude', via: 'mcp' as const };
  const draftedBy = /Drafted by API · Claude \(via MCP\)/;
  const drafted = (content = 'Dear Jonas') =>
    backend.drafts.set(ticket().id, { content, is_internal: false, updated_at: new Date().toISOString(), token });
  const saves = () => backend.calls.filter((call) => call.startsWith('PUT ') && call.endsWith('/draft'));

  it('is marked until the user changes it', async () => {
    drafted();
    const { person } = open();
    expect(await screen.findByText(draftedBy)).toBeInTheDocument();
    expect(await reply()).toHaveValue('Dear Jonas');
    expect(saves()).toEqual([]);
    await person.type(await reply(), ', hello');
    expect(screen.queryByText(draftedBy)).not.toBeInTheDocument();
    expect(await reply()).toHaveValue('Dear Jonas, hello');
  });

  it('is removed by Discard', async () => {
    drafted();
    const { person, unmount } = open();
    await person.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(await reply()).toHaveValue('');
    unmount();
    await waitFor(() => expect(backend.drafts.size).toBe(0));
  });

  it('appears while the ticket is open, even after the user has sent something', async () => {
    const { person } = open();
    await person.type(await reply(), 'First');
    await person.click(screen.getByRole('button', { name: 'Send Reply' }));
    await person.click(await screen.findByRole('button', { name: 'Send now' }));
    await waitFor(() => expect(sent()).toEqual(['First']));
    // Its draft was saved before: a later save would replace the assistant's.
    await waitFor(() => expect(saves()).not.toEqual([]));
    drafted();
    act(() => publishReplyDrafted(ticket().id));
    expect(await screen.findByText(draftedBy)).toBeInTheDocument();
    expect(await reply()).toHaveValue('Dear Jonas');
  });

  it('appears even if it was requested before a text was accepted', async () => {
    const asked = Promise.withResolvers<void>();
    server.use(
      http.post(api('/tickets/:id/comments'), async () => {
        const comment = aComment(ticket(), { content: 'First' });
        backend.comments.push(comment);
        await asked.promise;
        return answer(comment, { status: 201 });
      }),
    );
    const { person } = open();
    await person.type(await reply(), 'First');
    await person.click(screen.getByRole('button', { name: 'Send Reply' }));
    await person.click(await screen.findByRole('button', { name: 'Send now' }));
    await waitFor(() => expect(sent()).toEqual(['First']));
    // Its draft was saved before: a later save would replace the assistant's.
    await waitFor(() => expect(saves()).not.toEqual([]));
    server.use(
      http.get(
        api('/tickets/:id/draft'),
        async () => {
          asked.resolve();
          await waitFor(() => expect(screen.queryByText('Sending')).not.toBeInTheDocument());
        },
        { once: true },
      ),
    );
    drafted();
    expect(screen.getByText('Sending')).toBeInTheDocument();
    act(() => publishReplyDrafted(ticket().id));
    expect(await screen.findByText(draftedBy)).toBeInTheDocument();
    expect(await reply()).toHaveValue('Dear Jonas');
  });

  it('appears if it was saved after the page read its data, but before the composer was rendered', async () => {
    const none = { content: '', is_internal: false, updated_at: null, token: null };
    const readByPage = () => {
      drafted();
      publishReplyDrafted(ticket().id);
      return answer(none);
    };
    server.use(http.get(api('/tickets/:id/draft'), readByPage, { once: true }));
    open();
    expect(await screen.findByText(draftedBy)).toBeInTheDocument();
    expect(await reply()).toHaveValue('Dear Jonas');
  });

  it('appears once the connection is back', async () => {
    open();
    expect(await reply()).toHaveValue('');
    drafted();
    act(() => publishTicketChange('gap'));
    expect(await screen.findByText(draftedBy)).toBeInTheDocument();
  });

  it('does not replace a text that the user is writing', async () => {
    const { person } = open();
    await person.type(await reply(), 'Mine');
    drafted();
    const reads = () => backend.calls.filter((call) => call.startsWith('GET ') && call.endsWith('/draft')).length;
    const before = reads();
    act(() => publishReplyDrafted(ticket().id));
    await waitFor(() => expect(reads()).toBe(before + 1));
    expect(await reply()).toHaveValue('Mine');
    expect(screen.queryByText(draftedBy)).not.toBeInTheDocument();
  });

  it('does not replace a text that has not reached the server', async () => {
    server.use(http.put(api('/tickets/:id/draft'), () => refuse('service.unavailable')));
    const { person, unmount } = open();
    await person.type(await reply(), 'Written on the train');
    unmount();
    drafted();
    open();
    expect(await reply()).toHaveValue('Written on the train');
    expect(screen.queryByText(draftedBy)).not.toBeInTheDocument();
  });
});

it('saves the draft when the user leaves the ticket', async () => {
  const { person, unmount } = open();
  await person.type(await reply(), 'Half a sen');
  expect(backend.drafts.size).toBe(0);
  unmount();
  await waitFor(() => expect(backend.drafts.get(ticket().id)?.content).toBe('Half a sen'));
});

it('warns before unload only while the draft is unsaved', async () => {
  server.use(http.put(api('/tickets/:id/draft'), () => refuse('service.unavailable')));
  const { person } = open();
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(leave()).toBe(false);
  await person.type(await reply(), 'Not yet');
  expect(leave()).toBe(true);
  expect(await screen.findByText(/Draft saved in this browser only/)).toBeInTheDocument();
});

it('shows and sends nothing of one user after another has signed in', async () => {
  const { person, unmount } = open();
  await person.type(await reply(), 'Only mine to say');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await waitFor(() => expect(backend.drafts.get(ticket().id)?.content).toBe('Only mine to say'));
  act(() => dropUnsentWork());
  unmount();
  backend.drafts.clear();
  backend.me = aMember({ email: 'grace@northwind.example', first_name: 'Grace' });
  backend.signIn();
  open();
  expect(await reply()).toHaveValue('');
  expect(screen.queryByText('Only mine to say')).not.toBeInTheDocument();
  act(() => void window.dispatchEvent(new Event('pagehide')));
  expect(posts()).toEqual([]);
});

describe('formatting', () => {
  /** `|` marks the ends of the selection. */
  const parse = (marked: string) => {
    const [before = '', inside, after] = marked.split('|');
    const from = before.length;
    return { text: before + (inside ?? '') + (after ?? ''), from, to: after === undefined ? from : from + inside!.length };
  };
  const formatted = (marked: string, as: Format) => {
    const selection = parse(marked);
    const edit = format(selection, as);
    const text = applied(selection.text, edit);
    const { from, to } = edit.select;
    return `${text.slice(0, from)}|${from === to ? '' : `${text.slice(from, to)}|`}${text.slice(to)}`;
  };
  it.each<[Format, string, string]>([
    ['bold', 'a |b| c', 'a **|b|** c'],
    ['bold', 'a **|b|** c', 'a |b| c'],
    ['bold', 'a |**b**| c', 'a |b| c'],
    ['italic', '|', '_|_'],
    ['code', '|x|', '`|x|`'],
    ['code', 'a\n|b\nc|', 'a\n```\n|b\nc|\n```'],
    ['link', 'See |docs|', 'See [docs](|https://|)'],
    ['link', '|https://a.example|', '[|](https://a.example)'],
    ['list', 'a\n|b\nc|', 'a\n|- b\n- c|'],
    ['list', '|- b\n- c|', '|b\nc|'],
    ['quote', 'said|', '> said|'],
  ])('formats as %s: %j', (as, before, after) => expect(formatted(before, as)).toBe(after));

  it('continues a list with the next item, and ends it after an empty one', () => {
    const broken = (text: string) => {
      const edit = breakLine({ text, from: text.length, to: text.length });
      return edit && applied(text, edit);
    };
    expect(broken('- a')).toBe('- a\n- ');
    expect(broken('  2. a')).toBe('  2. a\n  3. ');
    expect(broken('- a\n- ')).toBe('- a\n');
    expect(broken('plain')).toBeUndefined();
  });

  it('names pictures so that each can be referred to, and removes the reference with the file', () => {
    expect(uniqueNames(['image.png', 'image.png', 'a'], ['image.png'])).toEqual(['image-2.png', 'image-3.png', 'a']);
    const text = applied('a', insertPictures({ text: 'a', from: 1, to: 1 }, ['x y(1).png']));
    expect(text).toBe('a\n![x y(1).png](x%20y%281%29.png)\n');
    expect(withoutPicture(text, 'x y(1).png')).toBe('a\n');
  });

  it('works with keys and from a toolbar that is one tab stop', async () => {
    const { person } = open();
    const box = (await reply()) as HTMLTextAreaElement;
    await person.type(box, 'now');
    box.setSelectionRange(0, 3);
    await person.keyboard('{Control>}b{/Control}');
    expect(box).toHaveValue('**now**');
    const bold = screen.getByRole('button', { name: 'Bold' });
    expect(bold).toHaveAttribute('aria-keyshortcuts', 'Control+B Meta+B');
    expect(screen.getByRole('button', { name: 'Italic' })).toHaveAttribute('tabindex', '-1');
    act(() => bold.focus());
    await person.keyboard('{ArrowRight}');
    expect(screen.getByRole('button', { name: 'Italic' })).toHaveFocus();
    await person.clear(box);
    await person.type(box, '- a{Enter}b');
    expect(box).toHaveValue('- a\n- b');
  });
});

it('shows “Draft saved” only while there is a draft', async () => {
  const { person } = open();
  await person.type(await reply(), 'Short');
  expect(await screen.findByText(/Draft saved/)).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await waitFor(() => expect(screen.queryByText(/Draft saved/)).not.toBeInTheDocument());
});

it('adds the signature of the user to replies, not to notes, and only once when a reply is undone', async () => {
  backend.signIn(aSession(backend.me, { signature: 'Regards,\n**Ada**' }));
  const { person } = open();
  expect(await screen.findByText(/Regards,/)).toHaveTextContent('Your signature: Regards, Ada');
  await person.type(await reply(), 'On its way');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await reply()).toHaveValue('On its way');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  expect((await conversation().findByText('Ada')).tagName).toBe('STRONG');
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(sent()).toEqual(['On its way\n\nRegards,\n**Ada**']));
  await person.click(screen.getByRole('button', { name: 'Internal note' }));
  expect(screen.queryByText(/Your signature/)).not.toBeInTheDocument();
  await person.type(screen.getByRole('textbox', { name: 'Internal note' }), 'Between us');
  await person.click(screen.getByRole('button', { name: 'Add Note' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(sent().at(-1)).toBe('Between us'));
});
