import { readHelpCenter } from '@tandem/contracts/endpoints';
import { ArrowRight } from 'lucide-react';
import { useEffect, useId, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { call } from '../../../lib/call';
import { useTexts } from '../language/texts';
import { ArticleList } from './ArticleList';
import { useRead } from './help';
import { rememberArticles } from '../knows-articles';

const maxPopular = 5;

/** The way from the portal's home to the articles. Nothing is shown if there are none, or until they are known. */
export function HelpLinks() {
  const t = useTexts();
  const id = useId();
  const { language } = t;
  const center = useRead(useMemo(() => call(readHelpCenter, { query: { language } }), [language]));
  const count = center.state === 'loaded' ? center.value.article_count : undefined;
  useEffect(() => {
    if (count !== undefined) rememberArticles(count > 0);
  }, [count]);
  if (center.state !== 'loaded' || count === 0) return null;
  return (
    <section aria-labelledby={id} className="mt-4 rounded-xl border bg-surface p-5 [overflow-wrap:anywhere] sm:mt-5 sm:p-6">
      <h2 id={id} className="text-lg font-semibold">
        <Link to="/help" className="inline-flex items-center gap-1.5 underline-offset-4 hover:underline">
          {t('help.page')}
          <ArrowRight className="size-4 text-accent-text rtl:-scale-x-100" aria-hidden />
        </Link>
      </h2>
      <p className="mt-1 text-md text-pretty text-muted">{t('help.text')}</p>
      <ArticleList articles={center.value.popular.slice(0, maxPopular)} />
    </section>
  );
}
