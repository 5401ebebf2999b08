import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ArticleQuery } from '../../app/articles/articles.api';

const names = ['q', 'state', 'category', 'visibility'] as const;
type FilterName = (typeof names)[number];
export type ArticleFilters = Partial<Record<FilterName, string>>;

const states = new Set(['draft', 'published', 'deleted']);
const visibilities = new Set(['public', 'internal']);
const isValid: Partial<Record<FilterName, (value: string) => boolean>> = {
  state: (value) => states.has(value),
  visibility: (value) => visibilities.has(value),
  category: (value) => value === 'none' || /^[0-9a-f-]{36}$/.test(value),
};

/** The query of the list. `deleted` is a state for users, and a separate parameter of the API. */
export const queryOf = ({ q, state, category, visibility }: ArticleFilters): ArticleQuery =>
  ({
    q,
    category_id: category,
    visibility,
    ...(state === 'deleted' ? { deleted: 'true' } : { state }),
  }) as ArticleQuery;

/** The filters in the address. Unknown values are ignored. */
export function useArticleFilters() {
  const [params, setParams] = useSearchParams();
  const text = params.toString();
  const filters = useMemo(() => {
    const inAddress = new URLSearchParams(text);
    return Object.fromEntries(
      names.flatMap((name) => {
        const value = inAddress.get(name);
        return value && (isValid[name]?.(value) ?? true) ? [[name, value]] : [];
      }),
    ) as ArticleFilters;
  }, [text]);
  const setFilter = useCallback(
    (name: FilterName, value: string | undefined) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (value) next.set(name, value);
          else next.delete(name);
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  const clear = useCallback(() => setParams({}, { replace: true }), [setParams]);
  return { filters, setFilter, clear };
}
