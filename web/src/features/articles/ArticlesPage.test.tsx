import { act, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { api, refuse, server } from '../../testing/server';
import { aCategory, anArticle, FakeArticles } from './testing';

let fake: FakeArticles;
beforeEach(() => {
  backend.signIn();
  fake = new FakeArticles();
  server.use(...fake.handlers());
});
const as = (role: 'agent' | 'manager') => {
  backend.me.role = role;
  backend.signIn();
};
const rows = async () => within(await screen.findByRole('list', { name: 'Articles' })).getAllByRole('listitem');
const titles = async () => (await rows()).map((row) => within(row).getByRole('heading').textContent);
type Person = ReturnType<typeof renderApp>['person'];
const choose = async (person: Person, label: string, option: string) => {
  await person.click(screen.getByRole('combobox', { name: label }));
  await person.click(await screen.findByRole('option', { name: option }));
};
const three = () => {
  const payments = aCategory({ article_count: 2 });
  fake.categories = [payments];
  fake.articles = [
    anArticle({ title: 'Refund a payment', category_id: payments.id, state: 'published' }),
    anArticle({ title: 'Change the card', category_id: payments.id, state: 'published', has_unpublished_changes: true }),
    anArticle({ title: 'Grant credit', visibility: 'internal' }),
  ];
};

describe('the list of articles', () => {
  it('shows category, state and visibility of each article, without accessibility violations', async () => {
    three();
    renderApp('/articles');
    const [first, second, third] = await rows();
    expect(await within(first!).findByText('Payments')).toBeInTheDocument();
    expect(within(first!).getByText('Published')).toBeInTheDocument();
    expect(within(second!).getByText('Published, with changes')).toBeInTheDocument();
    expect(third).toHaveTextContent('No category');
    expect(within(third!).getByText('Internal')).toBeInTheDocument();
    expect(within(third!).getByText('Draft')).toBeInTheDocument();
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  it('opens from the navigation and with its shortcut', async () => {
    three();
    const { person, address } = renderApp('/dashboard');
    await screen.findByRole('heading', { name: 'Support Dashboard' });
    await person.keyboard('gk');
    await waitFor(() => expect(address()).toBe('/articles'));
    expect(screen.getAllByRole('link', { name: 'Articles', current: 'page' })).not.toEqual([]);
  });

  it('filters by state, visibility and category, and shows the filters in the address', async () => {
    three();
    const { person, address } = renderApp('/articles');
    await rows();
    await choose(person, 'State', 'Published');
    await waitFor(async () => expect(await titles()).toEqual(['Refund a payment', 'Change the card']));
    expect(address()).toBe('/articles?state=published');
    await person.click(screen.getByRole('button', { name: 'Clear' }));
    await choose(person, 'Visibility', 'Team members only');
    await waitFor(async () => expect(await titles()).toEqual(['Grant credit']));
    await person.click(screen.getByRole('button', { name: 'Clear' }));
    await person.click(screen.getByRole('button', { name: 'Payments 2' }));
    await waitFor(async () => expect(await titles()).toEqual(['Refund a payment', 'Change the card']));
    expect(address()).toBe(`/articles?category=${fake.categories[0]!.id}`);
  });

  it('searches once typing has rested', async () => {
    three();
    const { person, address } = renderApp('/articles');
    await rows();
    await person.type(screen.getByRole('searchbox', { name: 'Search articles' }), 'card');
    await waitFor(async () => expect(await titles()).toEqual(['Change the card']));
    expect(address()).toBe('/articles?q=card');
    expect(backend.calls.filter((call) => call.includes('q='))).toEqual(['GET /articles?q=card&limit=50']);
  });

  it('loads more articles on request', async () => {
    fake.articles = Array.from({ length: 60 }, (_, index) => anArticle({ title: `Article ${index}` }));
    const { person } = renderApp('/articles');
    expect(await rows()).toHaveLength(50);
    await person.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(async () => expect(await rows()).toHaveLength(60));
    expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
  });

  it('restores a deleted article', async () => {
    fake.articles = [anArticle({ deleted_at: '2026-11-20T10:05:00.000Z' })];
    const { person } = renderApp('/articles?state=deleted');
    await person.click(await screen.findByRole('button', { name: 'Restore Refund a payment' }));
    expect(await screen.findByText('No deleted articles')).toBeInTheDocument();
    expect(fake.articles[0]!.deleted_at).toBeNull();
  });

  it('offers agents no restoring of articles and no changing of categories', async () => {
    as('agent');
    fake.articles = [anArticle({ deleted_at: '2026-11-20T10:05:00.000Z' })];
    renderApp('/articles?state=deleted');
    await rows();
    expect(screen.queryByRole('button', { name: /Restore/ })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Manage categories' })).not.toBeInTheDocument();
  });

  it('explains articles while there are none', async () => {
    const { person, address } = renderApp('/articles');
    expect(await screen.findByText('No articles yet')).toBeInTheDocument();
    await person.click(screen.getAllByRole('button', { name: 'New article' }).at(-1)!);
    expect(address()).toBe('/articles/new');
  });

  it('shows an error with a retry', async () => {
    three();
    server.use(http.get(api('/articles'), () => refuse('limit.exceeded'), { once: true }));
    const { person } = renderApp('/articles');
    expect(await screen.findByText('Couldn’t load the articles')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await rows()).toHaveLength(3);
  });
});

describe('a new article', () => {
  it('begins with its title in the chosen category, then opens the editor at the text', async () => {
    three();
    const { id } = fake.categories[0]!;
    const { person, address } = renderApp(`/articles?category=${id}`);
    await person.click(await screen.findByRole('button', { name: 'New article' }));
    await person.click(await screen.findByRole('button', { name: 'Create draft' }));
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveAccessibleDescription(/Enter a title/);
    await person.type(screen.getByRole('textbox', { name: 'Title' }), 'Cancel an order{Enter}');
    expect(await screen.findByRole('textbox', { name: 'Text' })).toHaveFocus();
    expect(fake.bodies('create')).toEqual([{ title: 'Cancel an order', category_id: id }]);
    expect(address()).toBe(`/articles/${fake.articles.at(-1)!.id}`);
  });

  it('is among the commands of the palette', async () => {
    const { person, address } = renderApp('/dashboard');
    await screen.findByRole('heading', { name: 'Support Dashboard' });
    await person.keyboard('{Control>}k{/Control}');
    await person.click(await screen.findByRole('option', { name: 'New article' }));
    await waitFor(() => expect(address()).toBe('/articles/new'));
  });
});

describe('categories', () => {
  const open = async () => {
    const view = renderApp('/articles');
    await view.person.click((await screen.findAllByRole('button', { name: 'Manage categories' }))[0]!);
    const panel = within(await screen.findByRole('dialog', { name: 'Categories' }));
    return { ...view, panel };
  };
  beforeEach(() => as('manager'));

  it('are added with a description, and refused with a name that is taken', async () => {
    const { person, panel } = await open();
    const add = async (name: string) => {
      await person.clear(panel.getByRole('textbox', { name: 'Name' }));
      await person.type(panel.getByRole('textbox', { name: 'Name' }), name);
      await person.type(panel.getByRole('textbox', { name: /Description/ }), 'Cards and refunds');
      await person.click(panel.getByRole('button', { name: 'Add category' }));
    };
    await add('Payments');
    expect(await panel.findByText('Payments')).toBeInTheDocument();
    expect(fake.bodies('create category')).toEqual([{ name: 'Payments', description: 'Cards and refunds' }]);
    await add('Payments');
    await waitFor(() => expect(panel.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription('Another category has this name'));
  });

  it('are renamed, and deleted after a confirmation', async () => {
    fake.categories = [aCategory()];
    const { person, panel } = await open();
    await person.click(await panel.findByRole('button', { name: 'Edit Payments' }));
    const name = within(panel.getByRole('list', { name: 'Categories' })).getByRole('textbox', { name: 'Name' });
    await person.clear(name);
    await person.type(name, 'Billing{Enter}');
    await person.click(await panel.findByRole('button', { name: 'Delete Billing' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this category?' }));
    await person.click(dialog.getByRole('button', { name: 'Delete category' }));
    await waitFor(() => expect(fake.categories).toEqual([]));
  });

  it('are reordered with the arrow keys, without accessibility violations', async () => {
    fake.categories = [aCategory({ name: 'First' }), aCategory({ name: 'Second' })];
    const [first, second] = fake.categories.map(({ id }) => id);
    const { person, panel } = await open();
    (await panel.findByRole('button', { name: /Move Second/ })).focus();
    await person.keyboard('{ArrowUp}');
    await waitFor(() => expect(fake.bodies('order categories')).toEqual([[second, first]]), { timeout: 2_000 });
    // Toasts are still moving.
    const result = await act(() => axe.run(screen.getByRole('dialog'), { rules: { 'color-contrast': { enabled: false } } }));
    expect(result.violations.map(({ id }) => id)).toEqual([]);
  });
});
