import type { Article } from '@tandem/contracts';
import { articlePath } from '@tandem/contracts/values';
import { ExternalLink, History } from 'lucide-react';
import { Link } from 'react-router-dom';
import { usePublicAddress } from '../../app/use-portal';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Time } from '../../ui/Time';

/** When the article was published, and what belongs to it. */
export function ArticleFacts({ article, onHistory }: { article: Article; onHistory: () => void }) {
  const portal = usePublicAddress();
  const isOnHelpPages = article.state === 'published' && article.visibility === 'public';
  return (
    <div className="flex flex-col items-start gap-2 border-t pt-4 text-muted">
      {article.published_at && (
        <p>
          {t('articles.last_published')} <Time iso={article.published_at} />
        </p>
      )}
      {isOnHelpPages && portal && (
        <Button size="sm" asChild>
          <a
            href={`${portal}${articlePath({ number: article.number, title: article.published_title ?? article.title })}`}
            target="_blank"
            rel="noreferrer"
          >
            <ExternalLink aria-hidden />
            {t('articles.open_help_page')}
          </a>
        </Button>
      )}
      {article.ticket_id && (
        <Link to={`/tickets/${article.ticket_id}`} className="text-accent-text hover:underline">
          {t('articles.drafted_from_ticket')}
        </Link>
      )}
      <Button variant="ghost" size="sm" onClick={onHistory}>
        <History aria-hidden />
        {t('articles.versions_and_feedback')}
      </Button>
    </div>
  );
}
