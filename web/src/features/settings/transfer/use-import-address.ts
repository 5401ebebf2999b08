import { importSources, type ImportSource } from '@tandem/contracts/values';
import { useSearchParams } from 'react-router-dom';

export const importsAddress = '/settings?tab=import';
export const importAddress = (id: string): string => `${importsAddress}&import=${id}`;
export const newImportAddress = (source?: ImportSource): string => `${importsAddress}&import=new${source ? `&source=${source}` : ''}`;

/** The open import, or the source of a new one. */
export function useImportAddress() {
  const [params] = useSearchParams();
  return {
    /** An id, or `new`. */
    open: params.get('import') ?? undefined,
    source: importSources.find((source) => source === params.get('source')),
  };
}
