import { useSearchParams } from 'react-router-dom';

/** The URL of the list as it was left: the ticket's URL contains its filters. */
export function useListLink(): string {
  const [params] = useSearchParams();
  const search = params.toString();
  return search ? `/tickets?${search}` : '/tickets';
}
