import type { ImportSource } from '@tandem/contracts/values';
import { t } from '../../../lib/staff-texts';
import { sourceSteps } from './import-labels';

/** The way to the file or token in the other product. */
export const SourceSteps = ({ source }: { source: ImportSource }) => (
  <ol
    aria-label={t('settings.transfer.how_to_get_data')}
    className="flex list-decimal flex-col gap-1 pl-5 text-pretty text-muted marker:text-faint"
  >
    {sourceSteps[source].map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ol>
);
