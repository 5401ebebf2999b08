import { readPages, teammateKey, type ExportRun, type RecordOf } from './lines';
import {
  findArticlePage,
  findPicturePage,
  findRatingPage,
  findVersionPage,
  type ArticleLineRow,
  type PictureRow,
  type RatingRow,
  type VersionRow,
} from './article-lines.store';

/** Texts of an article have up to 100,000 characters, so the pages are short. */
const articlePage = 20;

/** The articles by number, each with its versions, pictures and ratings. */
export async function writeArticles(run: ExportRun): Promise<void> {
  for await (const articles of readPages<ArticleLineRow>(run, articlePage, findArticlePage)) {
    for (const article of articles) await run.write('articles.jsonl', articleLine(run, article));
    const ids = articles.map(({ id }) => id);
    for await (const versions of readPages<VersionRow>(run, articlePage, (tx, after, limit) => findVersionPage(tx, ids, after, limit)))
      for (const version of versions) await run.write('article_versions.jsonl', versionLine(run, version));
    for await (const pictures of readPages<PictureRow>(run, 500, (tx, after, limit) => findPicturePage(tx, ids, after, limit)))
      for (const picture of pictures) await run.write('files.jsonl', pictureLine(run, picture));
    for await (const ratings of readPages<RatingRow>(run, 500, (tx, after, limit) => findRatingPage(tx, ids, after, limit)))
      for (const { place: _place, reader: _reader, article_id, ...rating } of ratings)
        await run.write('article_ratings.jsonl', { article: article_id, ...rating });
  }
}

const articleLine = (run: ExportRun, article: ArticleLineRow): RecordOf<'article'> => ({
  key: article.id,
  title: article.title,
  summary: article.summary,
  body: article.body,
  language: article.language,
  category: article.category_id,
  visibility: article.visibility,
  state: article.published_version === null ? 'draft' : 'published',
  created_at: article.created_at,
  updated_at: article.updated_at,
  number: article.number,
  updated_by: teammateKey(run, article.updated_by),
  published_version: article.published_version,
  first_published_at: article.first_published_at,
  ticket: article.ticket_id,
});

const versionLine = (run: ExportRun, version: VersionRow): RecordOf<'article_version'> => ({
  key: `${version.article_id}:${version.number}`,
  article: version.article_id,
  number: version.number,
  title: version.title,
  summary: version.summary,
  body: version.body,
  language: version.language,
  published_at: version.published_at,
  published_by: teammateKey(run, version.published_by),
});

const pictureLine = ({ has_files }: ExportRun, picture: PictureRow): RecordOf<'file'> => ({
  key: picture.id,
  ticket: null,
  comment: null,
  article: picture.article_id,
  file_name: picture.file_name,
  size: picture.size,
  entry: has_files ? `files/${picture.id}` : null,
  url: null,
  created_at: picture.created_at,
});
