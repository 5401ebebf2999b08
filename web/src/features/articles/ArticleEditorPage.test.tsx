import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Article } from '@tandem/contracts';
import axe from 'axe-core';
import { http, HttpResponse } from 'msw';
import { dropUnsentWork } from '../../lib/session-cleanup';
import { aMember, anId, backend } from '../../testing/backend';
import { FakeEventSource } from '../../testing/event-source';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { anArticle, FakeArticles } from './testing';

let fake: FakeArticles;
beforeEach(() => {
  backend.signIn();
  fake = new FakeArticles();
  server.use(...fake.handlers());
});
afterEach(() => act(() => dropUnsentWork()));
const as = (role: 'agent' | 'manager') => {
  backend.me.role = role;
  backend.signIn();
};
const article = () => fake.articles[0]!;
const open = async (overrides: Partial<Article> = {}) => {
  fake.articles = [anArticle(overrides)];
  const view = renderApp(`/articles/${article().id}`);
  // Its fields are loaded on demand.
  await screen.findByRole('textbox', { name: 'Summary' });
  return { ...view, text: screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }) };
};
/** The draft is saved a second after the last change. */
const soon = { timeout: 3_000 };
const isSaved = async () => waitFor(() => expect(screen.getByText('Saved')).toBeInTheDocument(), soon);
const axeOf = async (element: Element) => {
  const { violations } = await axe.run(element, { rules: { 'color-contrast': { enabled: false } } });
  return violations.map(({ id }) => id);
};
const published = { state: 'published', published_title: 'Refund a payment', published_at: '2026-11-20T10:05:00.000Z' } as const;

describe('the draft', () => {
  it('has no accessibility violations', async () => {
    await open({ visibility: 'internal' });
    expect(await axeOf(screen.getByRole('main'))).toEqual([]);
  });

  it('is saved as one change once typing has rested', async () => {
    const { person, text } = await open();
    await person.type(text, ' Now.');
    expect(screen.getByText('Saving…')).toBeInTheDocument();
    await isSaved();
    expect(fake.bodies('update')).toEqual([{ body: 'Open the payment. Now.' }]);
  });

  it('includes title, summary, category, visibility and language', async () => {
    const { person } = await open();
    await person.type(screen.getByRole('textbox', { name: 'Title' }), 's');
    await person.type(screen.getByRole('textbox', { name: 'Summary' }), 'Money back');
    expect(screen.getByRole('textbox', { name: 'Summary' })).toHaveAccessibleDescription(/290 characters left/);
    await person.click(screen.getByRole('combobox', { name: 'Visibility' }));
    await person.click(await screen.findByRole('option', { name: 'Team members only' }));
    await isSaved();
    expect(Object.assign({}, ...fake.bodies('update'))).toEqual({
      title: 'Refund a payments',
      summary: 'Money back',
      visibility: 'internal',
    });
  });

  it('is saved when the user leaves the page', async () => {
    const { person, text } = await open();
    await person.type(text, ' Bye');
    await person.click(screen.getByRole('link', { name: 'All articles' }));
    await waitFor(() => expect(article().body).toBe('Open the payment. Bye'));
  });

  it('is kept without a connection, warns before the page is closed, and is sent later', async () => {
    server.use(http.patch(api('/articles/:id'), () => HttpResponse.error(), { once: true }));
    const { person, text, unmount } = await open();
    const leave = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(leave()).toBe(false);
    await person.type(text, ' Train');
    expect(leave()).toBe(true);
    expect(await screen.findByText('Not saved. Trying again…', undefined, soon)).toBeInTheDocument();
    unmount();
    renderApp(`/articles/${article().id}`);
    expect(await screen.findByRole('textbox', { name: 'Text' })).toHaveValue('Open the payment. Train');
    await waitFor(() => expect(article().body).toBe('Open the payment. Train'), soon);
    expect(leave()).toBe(false);
  });

  it('shows why the server refuses it', async () => {
    server.use(
      http.patch(api('/articles/:id'), () =>
        refuse('request.invalid', { errors: [{ path: 'title', code: 'required', message: 'Enter a title' }] }),
      ),
    );
    const { person } = await open();
    await person.clear(screen.getByRole('textbox', { name: 'Title' }));
    expect(await screen.findByText('Enter a title', undefined, soon)).toHaveAttribute('role', 'alert');
    expect(screen.getByText('Not saved')).toBeInTheDocument();
  });
});

describe('a conflict', () => {
  const collide = async () => {
    const grace = aMember({ first_name: 'Grace', last_name: 'Hopper' });
    backend.members = [backend.me, grace];
    const view = await open();
    Object.assign(article(), { body: 'Theirs', version: 7, updated_by: grace.user_id });
    await view.person.type(view.text, ' Mine');
    await screen.findByText('Grace Hopper changed this article while you were writing.', undefined, soon);
    return view;
  };

  it('shows both texts and overwrites none', async () => {
    const { text } = await collide();
    expect(text).toHaveValue('Open the payment. Mine');
    expect(article().body).toBe('Theirs');
    expect(within(screen.getByRole('region', { name: 'Their text' })).getByText('Theirs').tagName).toBe('MARK');
    expect(within(screen.getByRole('region', { name: 'My text' })).getByText('Open the payment. Mine')).toBeInTheDocument();
  });

  it('ends with the user’s text', async () => {
    const { person } = await collide();
    await person.click(screen.getByRole('button', { name: 'Keep my text' }));
    await isSaved();
    expect(article().body).toBe('Open the payment. Mine');
  });

  it('ends with the colleague’s text', async () => {
    const { person, text } = await collide();
    await person.click(screen.getByRole('button', { name: 'Use their text' }));
    expect(text).toHaveValue('Theirs');
    await isSaved();
    expect(fake.bodies('update')).toEqual([]);
  });
});

describe('the text', () => {
  it('is previewed with headings of the levels that readers see', async () => {
    const { person } = await open({ body: '# One\n\n### Two\n\n**Bold**' });
    await person.click(screen.getByRole('button', { name: 'Preview' }));
    const preview = within(screen.getByRole('region', { name: 'Preview' }));
    expect(await preview.findByRole('heading', { level: 2, name: 'One' })).toBeInTheDocument();
    expect(preview.getByRole('heading', { level: 3, name: 'Two' })).toBeInTheDocument();
    expect(preview.getByText('Bold').tagName).toBe('STRONG');
    await person.click(screen.getByRole('button', { name: 'Back to editing' }));
    expect(screen.getByRole('textbox', { name: 'Text' })).toBeInTheDocument();
  });

  it('is formatted with the keys of the composer', async () => {
    const { person, text } = await open({ body: 'now' });
    text.focus();
    text.setSelectionRange(0, 3);
    await person.keyboard('{Control>}b{/Control}');
    expect(text).toHaveValue('**now**');
  });

  it('shows a pasted picture by the name that the server returns', async () => {
    const attachment_id = anId();
    server.use(
      http.post(api('/attachments'), () =>
        answer({ attachment_id, upload_url: `/api/v1/files/${attachment_id}`, expires_at: '2030-01-01T00:00:00.000Z' }, { status: 201 }),
      ),
      http.put(api('/files/:id'), () => answer({})),
    );
    const { text } = await open();
    const file = new File(['png'], 'image.png', { type: 'image/png' });
    text.focus();
    text.setSelectionRange(17, 17);
    fireEvent.paste(text, { clipboardData: { types: ['Files'], items: [], files: [file] } });
    await waitFor(() => expect(text).toHaveValue('Open the payment.\n![image-2.png](image-2.png)\n'));
    expect(fake.bodies('picture')).toEqual([{ attachment_id }]);
  });

  it('refuses files that are no pictures', async () => {
    const { text } = await open();
    const file = new File(['pdf'], 'terms.pdf', { type: 'application/pdf' });
    fireEvent.paste(text, { clipboardData: { types: ['Files'], items: [], files: [file] } });
    expect(await screen.findByText(/terms.pdf: Articles can contain/)).toBeInTheDocument();
    expect(fake.sent).toEqual([]);
  });
});

describe('publishing', () => {
  it('saves the draft first, and publishes exactly that version with Ctrl+Enter', async () => {
    as('manager');
    const { person, text } = await open();
    await person.type(text, ' Now.');
    await person.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText('Published')).toBeInTheDocument();
    expect(fake.sent.map(({ call }) => call)).toEqual(['update', 'publish']);
    expect(fake.bodies('publish')).toEqual([2]);
    expect(article().body).toBe('Open the payment. Now.');
    await person.type(text, ' More.');
    await isSaved();
    expect(article().body).toBe('Open the payment. Now. More.');
  });

  it('is not offered to agents, who see why', async () => {
    as('agent');
    const { person, text } = await open(published);
    expect(screen.getAllByText('Only managers and admins publish')).not.toEqual([]);
    expect(screen.queryByRole('button', { name: /Publish/ })).not.toBeInTheDocument();
    expect(screen.getByRole('combobox', { name: 'Visibility' })).toBeDisabled();
    await person.type(text, '{Control>}{Enter}{/Control}');
    expect(fake.sent).toEqual([]);
  });

  it('explains a refusal', async () => {
    server.use(http.post(api('/articles/:id/publish'), () => refuse('article.empty')));
    const { person } = await open({ body: '' });
    await person.click(screen.getByRole('button', { name: 'Publish' }));
    expect(await screen.findByText(/The article has no text/)).toBeInTheDocument();
  });

  it('links to the help page by the published title, and takes the article off again', async () => {
    const { person } = await open({ ...published, number: 12, title: 'New title' });
    expect(screen.getByRole('link', { name: 'Open help page' })).toHaveAttribute(
      'href',
      'http://northwindcoffee.localhost/help/12-refund-a-payment',
    );
    await person.click(screen.getByRole('button', { name: 'More actions' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Unpublish' }));
    expect(await screen.findByText('Draft')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Open help page' })).not.toBeInTheDocument();
  });

  it('has no help page while the article is internal', async () => {
    await open({ ...published, visibility: 'internal' });
    expect(screen.queryByRole('link', { name: 'Open help page' })).not.toBeInTheDocument();
  });
});

describe('a publication by a colleague', () => {
  const publishElsewhere = (news: Partial<Article>) => {
    Object.assign(article(), published, news, { version: article().version + 1 });
    act(() => FakeEventSource.last.send({ type: 'article.published', subject: article().id }));
  };

  it('updates the open article', async () => {
    const { text } = await open();
    publishElsewhere({ body: 'Choose Refund.' });
    await waitFor(() => expect(text).toHaveValue('Choose Refund.'));
    expect(screen.getByText('Published')).toBeInTheDocument();
  });

  it('does not replace text that is not saved yet', async () => {
    const { person, text } = await open();
    await person.type(text, ' Mine.');
    publishElsewhere({ body: 'Choose Refund.' });
    expect(await screen.findByText('Published')).toBeInTheDocument();
    expect(text).toHaveValue('Open the payment. Mine.');
    expect(await screen.findByRole('button', { name: 'Keep my text' }, soon)).toBeInTheDocument();
    expect(text).toHaveValue('Open the payment. Mine.');
  });
});

it('deletes an article, which can be undone', async () => {
  const { person, address } = await open();
  await person.click(screen.getByRole('button', { name: 'More actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await waitFor(() => expect(address()).toBe('/articles'));
  expect(article().deleted_at).not.toBeNull();
  await person.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(article().deleted_at).toBeNull());
});

it('explains an article that does not exist', async () => {
  renderApp(`/articles/${anId()}`);
  expect(await screen.findByText('This article does not exist')).toBeInTheDocument();
});

describe('versions and feedback', () => {
  const openPanel = async () => {
    fake.versions = [
      {
        number: 2,
        title: 'Refund',
        summary: null,
        body: 'Old text\n\nSame',
        language: 'en',
        published_at: '2026-11-20T10:05:00.000Z',
        published_by: backend.me.user_id,
      },
    ];
    const view = await open({ ...published, body: 'New text\n\nSame', views: 120, helpful: 9, not_helpful: 1 });
    await view.person.click(screen.getByRole('button', { name: 'Versions and feedback' }));
    return { ...view, panel: within(await screen.findByRole('dialog', { name: 'Versions and feedback' })) };
  };

  it('lists versions with author and time, without accessibility violations', async () => {
    const { panel } = await openPanel();
    const version = await panel.findByRole('button', { name: /Version 2: Refund/ });
    await waitFor(() => expect(version).toHaveTextContent('Ada Okafor'));
    expect(await axeOf(screen.getByRole('dialog'))).toEqual([]);
  });

  it('compares a version with the draft', async () => {
    const { person, panel } = await openPanel();
    await person.click(await panel.findByRole('button', { name: /Version 2/ }));
    await person.click(await panel.findByRole('tab', { name: 'Compare with draft' }));
    const draft = within(panel.getByRole('region', { name: 'Draft' }));
    expect(draft.getByText('New text').tagName).toBe('MARK');
    expect(draft.getByText('Same').tagName).toBe('SPAN');
  });

  it('puts the text of a version into the draft, which can be undone', async () => {
    const { person, panel } = await openPanel();
    await person.click(await panel.findByRole('button', { name: /Version 2/ }));
    await person.click(await panel.findByRole('button', { name: 'Use this text' }));
    const text = await screen.findByRole('textbox', { name: 'Text' });
    expect(text).toHaveValue('Old text\n\nSame');
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(text).toHaveValue('New text\n\nSame');
  });

  it('shows how readers rate the article, with their comments', async () => {
    fake.ratings = [{ helpful: false, remark: 'Which menu?', version: 2, rated_at: '2026-11-20T10:05:00.000Z' }];
    const { person, panel } = await openPanel();
    await person.click(panel.getByRole('tab', { name: 'Feedback' }));
    expect(await panel.findByText('Which menu?')).toBeInTheDocument();
    expect(panel.getByText('120 views · Helpful for 90% of 10 readers')).toBeInTheDocument();
    expect(panel.getByRole('img', { name: 'Not helpful' })).toBeInTheDocument();
  });
});
