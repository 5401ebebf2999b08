import type { ArticleCategoryRecord, ArticleRecord, FileRecord } from '@tandem/contracts';
import type { SourceItem, SourcePlace } from '../import-reader';
import { UnusableResponse, type ApiClient } from './api-client';
import { mapConcurrently } from './api-pages';
import { articleToMarkdown } from './html-markdown';
import { AnswerWithContents, KnowledgeBase, type Answer, type AnswerTranslation } from './zammad-schemas';
import { problem } from './source-items';

/**
 * The knowledge base: `init` returns all categories and answers without their texts, which are requested answer by answer
 * (https://docs.zammad.org/en/latest/api/knowledgebase.html).
 */

const path = '/api/v1/knowledge_bases';

export async function* readKnowledgeBase(client: ApiClient): AsyncGenerator<SourceItem> {
  const { data } = KnowledgeBase.safeParse(await client.json(`${path}/init`, 'POST'));
  // An empty list: there is no knowledge base, or the token may not read it.
  if (!data) return;
  const at = { file: `${path}/init`, line: null };
  for (const category of categoryRecords(data)) yield { type: 'record', record: { kind: 'article_category', data: category }, at };
  const answers = Object.values(data.KnowledgeBaseAnswer ?? {});
  yield* flatten(mapConcurrently(each(answers), 8, (answer) => readAnswer(client, data, answer)));
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function* flatten<T>(lists: AsyncGenerator<T[]>): AsyncGenerator<T> {
  for await (const list of lists) yield* list;
}

/** Categories in the primary language. A category within another one is next to it here. */
export function categoryRecords(knowledge: KnowledgeBase): ArticleCategoryRecord[] {
  const translations = Object.values(knowledge.KnowledgeBaseCategoryTranslation ?? {});
  const isPrimary = (locale: number | null | undefined) => knowledge.KnowledgeBaseLocale?.[String(locale)]?.primary === true;
  return Object.values(knowledge.KnowledgeBaseCategory ?? {})
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || a.id - b.id)
    .flatMap(({ id }, index) => {
      const own = translations.filter(({ category_id }) => category_id === id);
      const name = (own.find(({ kb_locale_id }) => isPrimary(kb_locale_id)) ?? own[0])?.title;
      return name === undefined ? [] : [{ key: String(id), name, description: null, position: index + 1 }];
    });
}

async function readAnswer(client: ApiClient, knowledge: KnowledgeBase, answer: Answer): Promise<SourceItem[]> {
  const translations = Object.values(knowledge.KnowledgeBaseAnswerTranslation ?? {}).filter(({ answer_id }) => answer_id === answer.id);
  const category = knowledge.KnowledgeBaseCategory?.[String(answer.category_id)];
  const contents = translations.map(({ content_id }) => content_id).join(',');
  const file = `${path}/${category?.knowledge_base_id ?? 1}/answers/${answer.id}`;
  const at = { file, line: null };
  const key = String(answer.id);
  try {
    const { data } = AnswerWithContents.safeParse(await client.json(`${file}?full=1&include_contents=${contents}`));
    const bodies = data?.assets.KnowledgeBaseAnswerTranslationContent ?? {};
    const items = translations.flatMap((translation) =>
      answerItems(answer, translation, { body: bodies[String(translation.content_id)]?.body ?? '', base: client.base, at }),
    );
    return [
      ...items,
      ...(answer.attachments ?? []).map(({ filename }) =>
        problem('value.left_out', at, { kind: 'article', key, field: 'attachments', value: filename ?? null }),
      ),
    ];
  } catch (error) {
    if (!(error instanceof UnusableResponse)) throw error;
    return error.status === 404 ? [] : [problem('entry.unreadable', at, { kind: 'article', key })];
  }
}

interface AnswerText {
  body: string;
  /** The address of Zammad, without a slash at the end. */
  base: string;
  at: SourcePlace;
}

/** Each translation is an article: articles here have one language, and the API does not name that of a translation. */
export function answerItems(answer: Answer, translation: AnswerTranslation, { body: html, base, at }: AnswerText): SourceItem[] {
  const { published_at, internal_at, archived_at } = answer;
  const isReached = (time: string | null | undefined) => time != null && Date.parse(time) <= Date.now();
  const isPublic = isReached(published_at);
  const key = String(translation.id);
  const created_at = new Date(answer.created_at).toISOString();
  // Zammad names its own pictures by their path.
  const { body, pictures } = articleToMarkdown(html.replaceAll(/(<img\b[^>]*?\bsrc=")\//gi, `$1${base}/`));
  const article: ArticleRecord = {
    key,
    title: translation.title,
    summary: null,
    body,
    language: null,
    category: String(answer.category_id),
    visibility: isPublic || internal_at == null ? 'public' : 'internal',
    // An archived answer becomes a draft: readers do not see it.
    state: !isReached(archived_at) && (isPublic || isReached(internal_at)) ? 'published' : 'draft',
    created_at,
    updated_at: new Date(Math.max(Date.parse(answer.updated_at), Date.parse(translation.updated_at))).toISOString(),
  };
  const files = pictures.map(({ url, file_name }): FileRecord => {
    const parent = { ticket: null, comment: null, article: key, created_at };
    return { key: `article-${key}-${file_name}`, ...parent, file_name, size: null, entry: null, url };
  });
  return [
    { type: 'record', record: { kind: 'article', data: article }, at },
    ...files.map((data): SourceItem => ({ type: 'record', record: { kind: 'file', data }, at })),
  ];
}
