import { ChevronRight } from 'lucide-react';
import { t } from '../../lib/staff-texts';
import { ClosedMeaning } from './ClosedMeaning';
import { FieldMapping } from './FieldMapping';
import { MoreSettings } from './MoreSettings';
import type { SettingsProps } from './settings-draft';
import { StatusMapping } from './StatusMapping';

/** Settings of a new or an existing integration. */
export const SettingsFields = (props: SettingsProps) => (
  <>
    <StatusMapping {...props} />
    <ClosedMeaning {...props} />
    <FieldMapping {...props} />
    <details className="group rounded-lg border">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-lg px-3 font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 text-muted transition-transform group-open:rotate-90" aria-hidden />
        {t('integration.more_settings')}
        <span className="ml-auto truncate pl-2 text-xs font-normal text-muted group-open:hidden max-sm:hidden">
          {t('integration.filters_comments_conflicts_completed')}
        </span>
      </summary>
      <MoreSettings {...props} />
    </details>
  </>
);
