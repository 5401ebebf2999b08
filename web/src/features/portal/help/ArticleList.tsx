import type { PublicArticleSummary } from '@tandem/contracts';
import { articlePath, directionOf } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';

/** Text of neighboring links is 8 px apart, however many lines it has. On touch screens a link is at least 44 px high. */
export const helpListLink = 'block w-fit py-1 text-accent-text underline-offset-4 hover:underline touch:py-3';

/** Links to articles, each in its own language. */
export const ArticleList = ({ articles, withSummary = false }: { articles: readonly PublicArticleSummary[]; withSummary?: boolean }) => (
  <ul className="mt-2">
    {articles.map((article) => (
      <li key={article.number} lang={article.language} dir={directionOf(article.language)}>
        <Link to={articlePath(article)} className={helpListLink}>
          {article.title}
        </Link>
        {withSummary && article.summary && <p className="mb-3 text-md text-pretty text-muted touch:-mt-2">{article.summary}</p>}
      </li>
    ))}
  </ul>
);
