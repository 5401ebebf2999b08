import { widgetDefaults, type WidgetSettings } from '@tandem/contracts';
import type { WidgetRow } from './widget.store';

/** The purpose under which the secret is sealed; the tickets service opens it to verify visitors' tokens. */
export const secretPurpose = 'widget-identity';

/** The settings in the API's format. By default any site may embed the widget, for any visitor. */
export const settingsOf = (row: WidgetRow | undefined): WidgetSettings => ({
  allowed_sites: row?.allowed_sites ?? [],
  identity_required: row?.identity_required ?? false,
  has_secret: (row?.sealed_secret ?? null) !== null,
  theme: row?.theme ?? widgetDefaults.theme,
});
