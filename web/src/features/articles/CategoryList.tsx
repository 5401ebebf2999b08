import type { ArticleCategory } from '@tandem/contracts';
import { cn } from '../../lib/cn';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { noCategory, useMay } from '../../app/articles/article-labels';

interface CategoryListProps {
  categories: ArticleCategory[];
  chosen: string | undefined;
  onChoose: (category: string | undefined) => void;
  onManage: () => void;
}

/** The categories at the side of the list of articles, with the number of their articles. */
export function CategoryList({ categories, chosen, onChoose, onManage }: CategoryListProps) {
  const mayManage = useMay('article.publish');
  const entry = (value: string | undefined, label: string, count?: number) => (
    <li key={value ?? ''}>
      <button
        type="button"
        aria-pressed={chosen === value}
        onClick={() => onChoose(value)}
        className={cn(
          'flex min-h-8 w-full items-center justify-between gap-2 rounded-md px-2.5 py-1 text-left',
          chosen === value ? 'bg-hover font-medium text-ink' : 'text-muted hover:bg-hover hover:text-ink',
        )}
      >
        <span className="min-w-0 truncate" dir="auto">
          {label}
        </span>
        {count !== undefined && <span className="text-xs tabular">{count}</span>}
      </button>
    </li>
  );
  return (
    <nav aria-label={t('articles.categories')} className="w-58 shrink-0 overflow-y-auto border-r bg-canvas p-3 max-lg:hidden">
      <ul className="flex flex-col gap-0.5">
        {entry(undefined, t('articles.all_articles'))}
        {categories.map(({ id, name, article_count }) => entry(id, name, article_count))}
        {entry(noCategory, t('articles.no_category'))}
      </ul>
      {mayManage && (
        <Button variant="ghost" size="sm" className="mt-3" onClick={onManage}>
          {t('articles.manage_categories')}
        </Button>
      )}
    </nav>
  );
}
