import type { ArticleCategory } from '@tandem/contracts';
import { articleLimits } from '@tandem/contracts/values';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Input } from '../../ui/Input';
import { Select, type SelectOption } from '../../ui/Select';
import type { ArticleFilters } from './article-filters';
import { categoryOptions, useMay, visibilityOptions } from '../../app/articles/article-labels';

const searchPauseMs = 300;
const all = 'all';
const stateOptions: SelectOption[] = [
  { value: all, label: t('articles.all_states') },
  { value: 'draft', label: t('articles.draft') },
  { value: 'published', label: t('articles.published') },
  { value: 'deleted', label: t('articles.deleted') },
];

/** The search box. It follows the address, except while the user types. */
function SearchBox({ text: inAddress, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (seen !== inAddress) {
    setSeen(inAddress);
    if (text.trim() !== inAddress) setText(inAddress);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (value: string, pauseMs = searchPauseMs) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(value.trim()), pauseMs);
  };
  return (
    <Input
      type="search"
      aria-label={t('articles.search')}
      placeholder={t('articles.search')}
      maxLength={articleLimits.query}
      value={text}
      onChange={({ target }) => change(target.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') change(text, 0);
        if (key === 'Escape' && text === '') currentTarget.blur();
      }}
      className="max-w-64 max-sm:max-w-none"
    />
  );
}

interface ArticleFilterBarProps {
  filters: ArticleFilters;
  categories: ArticleCategory[];
  onFilter: (name: keyof ArticleFilters, value: string | undefined) => void;
  onClear: () => void;
  onManage: () => void;
}
export function ArticleFilterBar({ filters, categories, onFilter, onClear, onManage }: ArticleFilterBarProps) {
  const mayManage = useMay('article.publish');
  const choice = (name: keyof ArticleFilters, label: string, options: SelectOption[], className?: string) => (
    <Select
      look="filter"
      label={label}
      value={filters[name] ?? all}
      active={filters[name] !== undefined}
      options={options}
      onChange={(value) => onFilter(name, value === all ? undefined : value)}
      {...(className ? { className } : {})}
    />
  );
  return (
    <div role="group" aria-label={t('articles.filters')} className="flex flex-wrap items-center gap-1.5 border-b px-4 py-2 max-md:px-3">
      <SearchBox text={filters.q ?? ''} onSearch={(text) => onFilter('q', text || undefined)} />
      {choice('state', t('articles.state'), stateOptions)}
      {choice('visibility', t('articles.visibility'), [{ value: all, label: t('articles.any_visibility') }, ...visibilityOptions])}
      {/* Wide screens have the list of categories at the side. */}
      {choice(
        'category',
        t('articles.category'),
        [{ value: all, label: t('articles.all_categories') }, ...categoryOptions(categories)],
        'max-w-44 lg:hidden',
      )}
      {mayManage && (
        <Button variant="ghost" size="sm" className="lg:hidden" onClick={onManage}>
          {t('articles.manage_categories')}
        </Button>
      )}
      {Object.keys(filters).length > 0 && (
        <Button variant="ghost" size="sm" onClick={onClear}>
          {t('articles.clear')}
        </Button>
      )}
    </div>
  );
}
