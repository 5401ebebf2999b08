import type { ImportSource } from '@tandem/contracts';
import type { ImportReader } from '../import-reader';
import { chatwootReader } from './chatwoot';
import { csvReader } from './csv';
import { freshdeskReader } from './freshdesk';
import { helpScoutReader } from './help-scout';
import { tandemReader } from './tandem';
import { zammadReader } from './zammad';
import { zendeskReader } from './zendesk';

/** A line per source. */
export const importReaders: Record<ImportSource, ImportReader> = {
  csv: csvReader,
  tandem: tandemReader,
  zendesk: zendeskReader,
  freshdesk: freshdeskReader,
  help_scout: helpScoutReader,
  chatwoot: chatwootReader,
  zammad: zammadReader,
};
