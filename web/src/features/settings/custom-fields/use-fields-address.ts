import { useSearchParams } from 'react-router-dom';
import { isSuggestionName, type SuggestionName } from './field-labels';

export const listAddress = '/settings?tab=fields';
export const fieldAddress = (id: string): string => `${listAddress}&field=${id}`;
export const newFieldAddress = (suggestion?: SuggestionName): string =>
  `${fieldAddress('new')}${suggestion ? `&suggestion=${suggestion}` : ''}`;

/** The open field. */
export function useFieldsAddress() {
  const [params] = useSearchParams();
  const suggestion = params.get('suggestion');
  return {
    /** An id, or `new`. */
    open: params.get('field') ?? undefined,
    suggestion: isSuggestionName(suggestion) ? suggestion : undefined,
  };
}
