import { useSearchParams } from 'react-router-dom';

/** The list as it was left: its filters travel in the ticket's address. */
export function useWayBack(): string {
  const [params] = useSearchParams();
  const search = params.toString();
  return search ? `/tickets?${search}` : '/tickets';
}
