import type { SourceItem } from '../import-reader';
import { articleItems } from './article-items';
import type { JsonItem } from './json-files';
import { firstText, keyOf, textOf } from './json-values';
import { problem, record } from './source-items';
import { isoTime } from './times';

/** https://developer.zendesk.com/api-reference/help_center/help-center-api/articles/#json-format */
export function* articleOf({ json: article, at }: JsonItem): Generator<SourceItem, void> {
  const key = keyOf(article.id);
  const created_at = isoTime(article.created_at);
  if (key === null || created_at === null) {
    const field = key === null ? 'id' : 'created_at';
    return void (yield problem(key === null ? 'value.missing' : 'time.invalid', at, {
      kind: 'article',
      key,
      field,
      value: textOf(article.created_at),
    }));
  }
  const section = keyOf(article.section_id);
  const common = {
    key: `article-${key}`,
    title: firstText(article.title, article.name) ?? 'Untitled',
    summary: null,
    category: section === null ? null : `section-${section}`,
    // Without a user segment, everybody can read it.
    visibility: article.user_segment_id == null ? ('public' as const) : ('internal' as const),
    state: article.draft === true ? ('draft' as const) : ('published' as const),
    created_at,
    updated_at: isoTime(article.edited_at) ?? isoTime(article.updated_at) ?? created_at,
  };
  yield* articleItems({ ...common, html: textOf(article.body) ?? '', locale: textOf(article.locale) }, at);
}

/** https://developer.zendesk.com/api-reference/help_center/help-center-api/sections/#json-format */
export function* sectionOf({ json: section, at }: JsonItem): Generator<SourceItem, void> {
  const key = keyOf(section.id);
  if (key === null) return;
  const position = typeof section.position === 'number' && section.position >= 0 ? Math.trunc(section.position) + 1 : 1;
  yield record(
    'article_category',
    { key: `section-${key}`, name: textOf(section.name) ?? 'Untitled', description: textOf(section.description), position },
    at,
  );
}
