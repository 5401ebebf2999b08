import type { ArticleCategory, ArticleSummary } from '@tandem/contracts';
import { may, type Permission } from '@tandem/contracts/values';
import { Lock } from 'lucide-react';
import { useSession } from '../api';
import { t } from '../../lib/staff-texts';
import { Badge } from '../../ui/Badge';
import type { SelectOption } from '../../ui/Select';

export const articleAddress = (id: string): string => `/articles/${id}`;

export function useMay(permission: Permission): boolean {
  const { role } = useSession().profile;
  return role !== null && may(role, permission);
}

export function StateBadge({ article: { state, has_unpublished_changes } }: { article: ArticleSummary }) {
  if (state === 'draft') return <Badge>{t('articles.draft')}</Badge>;
  if (has_unpublished_changes) return <Badge tone="amber">{t('articles.published_with_changes')}</Badge>;
  return <Badge tone="green">{t('articles.published')}</Badge>;
}

export const InternalBadge = () => (
  <Badge tone="plain" title={t('articles.members_only')}>
    <Lock aria-hidden />
    {t('articles.internal')}
  </Badge>
);

export const visibilityOptions: SelectOption[] = [
  { value: 'public', label: t('articles.everyone') },
  { value: 'internal', label: t('articles.members_only'), mark: <Lock className="size-3.5" aria-hidden /> },
];

/** In selects, where a value cannot be null. */
export const noCategory = 'none';
export const categoryOptions = (categories: readonly ArticleCategory[]): SelectOption[] => [
  { value: noCategory, label: t('articles.no_category') },
  ...categories.map(({ id, name }) => ({ value: id, label: name })),
];
