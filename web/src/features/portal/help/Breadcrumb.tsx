import type { PublicArticleCategory } from '@tandem/contracts';
import { articleCategoryPath } from '@tandem/contracts/values';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../language/texts';

export function Breadcrumb({ category = null }: { category?: PublicArticleCategory | null }) {
  const t = useTexts();
  return (
    <nav aria-label={t('help.breadcrumb')} className="-mt-4 mb-4 sm:-mt-6">
      <ol className="flex flex-wrap items-center gap-x-1 text-md">
        <li>
          <Step to="/help">{t('help.page')}</Step>
        </li>
        {category && (
          <li className="flex min-w-0 items-center gap-1">
            <ChevronRight className="size-4 shrink-0 text-faint rtl:-scale-x-100" aria-hidden />
            <Step to={articleCategoryPath(category)}>
              <bdi>{category.name}</bdi>
            </Step>
          </li>
        )}
      </ol>
    </nav>
  );
}

const Step = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="inline-flex min-h-11 items-center text-accent-text underline-offset-4 hover:underline">
    {children}
  </Link>
);
