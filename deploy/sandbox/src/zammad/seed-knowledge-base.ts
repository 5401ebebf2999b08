import type { Answer, World } from './world';

const created = Date.UTC(2023, 5, 1, 9, 0, 13);

/** Nested categories in two languages; answers that are drafts, internal, published or archived, one with a file. */
export function seedKnowledgeBase(world: World): void {
  world.knowledgeBase = {
    locales: [
      { id: 1, system_locale_id: 25, primary: true },
      { id: 2, system_locale_id: 6, primary: false },
    ],
    categories: [
      { id: 1, parent_id: null, position: 0, titles: { 1: 'Getting started', 2: 'Erste Schritte' } },
      { id: 2, parent_id: 1, position: 0, titles: { 1: 'Accounts' } },
      { id: 3, parent_id: null, position: 1, titles: { 1: 'Billing', 2: 'Rechnungen' } },
    ],
    answers: Array.from({ length: 12 }, (_, index) => answer(index + 1)),
  };
}

function answer(id: number): Answer {
  const state = ['published', 'published', 'internal', 'draft', 'archived', 'published'][id % 6];
  const at = (wanted: string, ms: number) => (state === wanted ? created + id * 1_000 + ms : null);
  const body = `<h2>Steps</h2><ol><li>Open <b>settings</b></li></ol><p>ref${id}a</p>`;
  const english = { id: id * 10 + 1, kb_locale_id: 1, title: `How to ${id}`, content_id: id * 100 + 1, body };
  const german = {
    id: id * 10 + 2,
    kb_locale_id: 2,
    title: `Anleitung ${id}`,
    content_id: id * 100 + 2,
    body: `<p>Auf Deutsch ref${id}b</p>`,
  };
  const manual = { id: 7_000 + id, filename: 'manual.txt', bytes: Buffer.from('Manual\n'), preferences: { 'Mime-Type': 'text/plain' } };
  return {
    id,
    category_id: (id % 3) + 1,
    translations: id % 4 === 0 ? [english, german] : [english],
    attachments: id === 1 ? [manual] : [],
    published_at: at('published', 500),
    internal_at: at('internal', 500),
    archived_at: at('archived', 900),
    created_at: created + id * 1_000,
    updated_at: created + id * 2_000,
  };
}
