import account from '../catalogs/staff/en/account.json';
import analytics from '../catalogs/staff/en/analytics.json';
import analyticsCharts from '../catalogs/staff/en/analytics.charts.json';
import analyticsHelp from '../catalogs/staff/en/analytics.help.json';
import analyticsReports from '../catalogs/staff/en/analytics.reports.json';
import app from '../catalogs/staff/en/app.json';
import appConditions from '../catalogs/staff/en/app.conditions.json';
import appFields from '../catalogs/staff/en/app.fields.json';
import appPalette from '../catalogs/staff/en/app.palette.json';
import articles from '../catalogs/staff/en/articles.json';
import auth from '../catalogs/staff/en/auth.json';
import authSso from '../catalogs/staff/en/auth.sso.json';
import dashboard from '../catalogs/staff/en/dashboard.json';
import integration from '../catalogs/staff/en/integration.json';
import lib from '../catalogs/staff/en/lib.json';
import notifications from '../catalogs/staff/en/notifications.json';
import onboarding from '../catalogs/staff/en/onboarding.json';
import operator from '../catalogs/staff/en/operator.json';
import settings from '../catalogs/staff/en/settings.json';
import settingsApi from '../catalogs/staff/en/settings.api.json';
import settingsBranding from '../catalogs/staff/en/settings.branding.json';
import settingsEmbed from '../catalogs/staff/en/settings.embed.json';
import settingsFields from '../catalogs/staff/en/settings.fields.json';
import settingsLanguages from '../catalogs/staff/en/settings.languages.json';
import settingsMail from '../catalogs/staff/en/settings.mail.json';
import settingsPrivacy from '../catalogs/staff/en/settings.privacy.json';
import settingsRules from '../catalogs/staff/en/settings.rules.json';
import settingsSla from '../catalogs/staff/en/settings.sla.json';
import settingsTransfer from '../catalogs/staff/en/settings.transfer.json';
import settingsWebhooks from '../catalogs/staff/en/settings.webhooks.json';
import team from '../catalogs/staff/en/team.json';
import tickets from '../catalogs/staff/en/tickets.json';
import ticketsAttachments from '../catalogs/staff/en/tickets.attachments.json';
import ticketsComposer from '../catalogs/staff/en/tickets.composer.json';
import ticketsConversation from '../catalogs/staff/en/tickets.conversation.json';
import ticketsDetail from '../catalogs/staff/en/tickets.detail.json';
import ticketsForm from '../catalogs/staff/en/tickets.form.json';
import ticketsList from '../catalogs/staff/en/tickets.list.json';
import ticketsMacros from '../catalogs/staff/en/tickets.macros.json';
import ticketsPanel from '../catalogs/staff/en/tickets.panel.json';
import ticketsRead from '../catalogs/staff/en/tickets.read.json';
import ticketsSample from '../catalogs/staff/en/tickets.sample.json';
import ticketsSnooze from '../catalogs/staff/en/tickets.snooze.json';
import ui from '../catalogs/staff/en/ui.json';

/** The texts of the staff app in English, by key. The build of the pages does not load this file (web/vite.staff-texts.ts). */
export const staffCatalog = {
  ...account,
  ...analytics,
  ...analyticsCharts,
  ...analyticsHelp,
  ...analyticsReports,
  ...app,
  ...appConditions,
  ...appFields,
  ...appPalette,
  ...articles,
  ...auth,
  ...authSso,
  ...dashboard,
  ...integration,
  ...lib,
  ...notifications,
  ...onboarding,
  ...operator,
  ...settings,
  ...settingsApi,
  ...settingsBranding,
  ...settingsEmbed,
  ...settingsFields,
  ...settingsLanguages,
  ...settingsMail,
  ...settingsPrivacy,
  ...settingsRules,
  ...settingsSla,
  ...settingsTransfer,
  ...settingsWebhooks,
  ...team,
  ...tickets,
  ...ticketsAttachments,
  ...ticketsComposer,
  ...ticketsConversation,
  ...ticketsDetail,
  ...ticketsForm,
  ...ticketsList,
  ...ticketsMacros,
  ...ticketsPanel,
  ...ticketsRead,
  ...ticketsSample,
  ...ticketsSnooze,
  ...ui,
};
export type StaffKey = keyof typeof staffCatalog;
