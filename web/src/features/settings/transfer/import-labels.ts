import type { Import } from '@tandem/contracts';
import {
  activeImportStates,
  recordKindNames,
  recordKinds,
  type CsvKind,
  type ImportSource,
  type ImportState,
  type RecordKind,
} from '@tandem/contracts/values';
import { t } from '../../../lib/staff-texts';
import type { BadgeTone } from '../../../ui/Badge';

export const importStateLabels: Record<ImportState, string> = {
  preparing: t('settings.transfer.state_preparing'),
  checking: t('settings.transfer.state_checking'),
  ready: t('settings.transfer.state_ready'),
  importing: t('settings.transfer.state_importing'),
  done: t('settings.transfer.state_done'),
  undoing: t('settings.transfer.state_undoing'),
  undone: t('settings.transfer.state_undone'),
  cancelled: t('settings.transfer.state_cancelled'),
  failed: t('settings.transfer.state_failed'),
};
export const importStateTones: Record<ImportState, BadgeTone> = {
  preparing: 'plain',
  checking: 'accent',
  ready: 'blue',
  importing: 'accent',
  done: 'green',
  undoing: 'accent',
  undone: 'gray',
  cancelled: 'gray',
  failed: 'red',
};

export const isActive = (state: ImportState): boolean => (activeImportStates as readonly ImportState[]).includes(state);
/** Whether an admin can still change what is imported, and how. */
export const isEditable = (state: ImportState): boolean => state === 'preparing' || state === 'ready';
/** Whether records may have been created. */
export const hasStarted = ({ state, counts }: Pick<Import, 'state' | 'counts'>): boolean =>
  state === 'importing' || state === 'done' || state === 'undoing' || state === 'undone' || createdOf(counts) > 0;

export const createdOf = (counts: Import['counts']): number => Object.values(counts).reduce((sum, { created }) => sum + created, 0);
export const failedOf = (counts: Import['counts']): number => Object.values(counts).reduce((sum, { failed }) => sum + failed, 0);
export const canUndo = ({ state, undo_until }: Import, now: number): boolean =>
  !isActive(state) && state !== 'undone' && undo_until !== null && Date.parse(undo_until) > now;

/** The kinds that an import has found, in their order. */
export const foundKinds = (
  counts: Import['counts'],
): { kind: RecordKind; label: string; counts: NonNullable<Import['counts'][RecordKind]> }[] =>
  recordKinds.flatMap((kind) => {
    const found = counts[kind];
    return found && found.found + found.created + found.existing + found.failed > 0
      ? [{ kind, label: recordKindNames[kind], counts: found }]
      : [];
  });

export const csvKindLabels: Record<CsvKind, string> = {
  tickets: t('settings.transfer.kind_tickets'),
  comments: t('settings.transfer.kind_comments'),
  customers: t('settings.transfer.kind_customers'),
  articles: t('settings.transfer.kind_articles'),
};

export const sourceDescriptions: Record<ImportSource, string> = {
  csv: t('settings.transfer.about_csv'),
  tandem: t('settings.transfer.about_tandem'),
  zendesk: t('settings.transfer.about_zendesk'),
  freshdesk: t('settings.transfer.about_freshdesk'),
  help_scout: t('settings.transfer.about_help_scout'),
  chatwoot: t('settings.transfer.about_chatwoot'),
  zammad: t('settings.transfer.about_zammad'),
};

/** How to get the data out of the other product, with the names of its menus. */
export const sourceSteps: Record<ImportSource, readonly string[]> = {
  csv: [t('settings.transfer.csv_step_1'), t('settings.transfer.csv_step_2'), t('settings.transfer.csv_step_3')],
  tandem: [t('settings.transfer.tandem_step_1'), t('settings.transfer.tandem_step_2')],
  // https://support.zendesk.com/hc/en-us/articles/4408886165402
  zendesk: [
    t('settings.transfer.zendesk_step_1'),
    t('settings.transfer.zendesk_step_2'),
    t('settings.transfer.zendesk_step_3'),
    t('settings.transfer.zendesk_step_4'),
  ],
  freshdesk: [t('settings.transfer.freshdesk_step_1'), t('settings.transfer.freshdesk_step_2')],
  help_scout: [t('settings.transfer.help_scout_step_1'), t('settings.transfer.help_scout_step_2')],
  // https://www.chatwoot.com/hc/user-guide/articles/1757445004-how-to-find-your-personal-access-token-in-chatwoot
  chatwoot: [t('settings.transfer.chatwoot_step_1'), t('settings.transfer.chatwoot_step_2')],
  // https://docs.zammad.org/en/latest/api/intro.html#authentication
  zammad: [t('settings.transfer.zammad_step_1'), t('settings.transfer.zammad_step_2')],
};
