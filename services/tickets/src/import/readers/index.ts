import type { ImportSource } from '@tandem/contracts';
import type { ImportReader } from '../import-reader';

/** A line per source. */
export const importReaders: Partial<Record<ImportSource, ImportReader>> = {};
