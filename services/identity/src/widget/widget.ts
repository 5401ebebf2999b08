import { widgetDefaults, type WidgetSettings } from '@tandem/contracts';
import type { WidgetRow } from './widget.store';

/** What the stored secret opens with; tickets opens it to believe a visitor's token. */
export const secretPurpose = 'widget-identity';

/** As admins see it; an organization that has saved nothing lets any site show the widget to anybody. */
export const settingsOf = (row: WidgetRow | undefined): WidgetSettings => ({
  allowed_sites: row?.allowed_sites ?? [],
  identity_required: row?.identity_required ?? false,
  has_secret: (row?.sealed_secret ?? null) !== null,
  theme: row?.theme ?? widgetDefaults.theme,
});
