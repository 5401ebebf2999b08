import type { PublicArticleSummary } from '@tandem/contracts';
import { articlePath, directionOf } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';

/** Links to articles, each in its own language. */
export const ArticleList = ({ articles, withSummary = false }: { articles: readonly PublicArticleSummary[]; withSummary?: boolean }) => (
  <ul>
    {articles.map((article) => (
      <li key={article.number} lang={article.language} dir={directionOf(article.language)}>
        <Link to={articlePath(article)} className="inline-flex min-h-11 items-center text-accent-text underline-offset-4 hover:underline">
          {article.title}
        </Link>
        {withSummary && article.summary && <p className="-mt-1 mb-3 text-md text-pretty text-muted">{article.summary}</p>}
      </li>
    ))}
  </ul>
);
