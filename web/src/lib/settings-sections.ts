import { roleRank, type Role } from '@tandem/contracts/values';
import { t } from './staff-texts';

export interface SettingsSection {
  label: string;
  /** Address of the panel; a hash opens a part of a page. */
  to: string;
  minimumRole?: Role;
}

const admin = (label: string, to: string): SettingsSection => ({ label, to, minimumRole: 'admin' });

const workspace = {
  organization: admin(t('lib.settings_general'), '/settings?tab=organization'),
  members: admin(t('lib.settings_members'), '/settings?tab=organization#members'),
  portal: admin(t('lib.settings_portal'), '/settings?tab=portal'),
  branding: admin(t('lib.settings_branding'), '/settings?tab=branding'),
  email: admin(t('lib.settings_email'), '/settings?tab=email'),
  embed: admin(t('lib.settings_widget'), '/settings?tab=embed'),
  languages: admin(t('lib.settings_languages'), '/settings?tab=languages'),
};
const work = {
  sla: admin(t('lib.settings_sla'), '/settings?tab=sla'),
  // Managers read them (SettingsGuard in app/guards.tsx).
  rules: { label: t('lib.settings_rules'), to: '/settings?tab=rules', minimumRole: 'manager' as const },
  fields: admin(t('lib.settings_fields'), '/settings?tab=fields'),
  cannedReplies: { label: t('lib.settings_canned_replies'), to: '/canned-replies' },
};
const connections = {
  integrations: admin(t('lib.settings_integrations'), '/settings?tab=integrations'),
  api: admin(t('lib.settings_api'), '/settings?tab=api'),
  webhooks: admin(t('lib.settings_webhooks'), '/settings?tab=webhooks'),
};
const data = {
  import: admin(t('lib.settings_import'), '/settings?tab=import'),
  export: admin(t('lib.settings_export'), '/settings?tab=export'),
  privacy: admin(t('lib.settings_privacy'), '/settings?tab=privacy'),
};
const security = {
  signIn: admin(t('lib.settings_sign_in'), '/settings?tab=sign-in'),
  audit: admin(t('lib.settings_audit_log'), '/settings?tab=audit'),
  security: admin(t('lib.settings_session_log'), '/settings?tab=security'),
};
const personal = {
  profile: { label: t('lib.settings_profile'), to: '/account' },
  notifications: { label: t('lib.settings_notifications'), to: '/account#notifications' },
  account: { label: t('lib.settings_account_security'), to: '/account#security' },
};

/** Each section by its key, for links from elsewhere. The keys are the values of the parameter `tab`. */
export const settingsSections = { ...workspace, ...work, ...connections, ...data, ...security, ...personal } satisfies Record<
  string,
  SettingsSection
>;
export type SettingsSectionKey = keyof typeof settingsSections;

/** In the order of the side navigation. */
const groups: { title: string; sections: SettingsSection[] }[] = [
  { title: t('lib.settings_workspace'), sections: Object.values(workspace) },
  { title: t('lib.settings_work'), sections: Object.values(work) },
  { title: t('lib.settings_connections'), sections: Object.values(connections) },
  { title: t('lib.settings_data'), sections: Object.values(data) },
  { title: t('lib.settings_security'), sections: Object.values(security) },
  { title: t('lib.settings_personal'), sections: Object.values(personal) },
];

/** The groups with the sections that a role may open; groups without any are left out. */
export const settingsFor = (role: Role | null): { title: string; sections: SettingsSection[] }[] =>
  groups
    .map(({ title, sections }) => ({
      title,
      sections: sections.filter(({ minimumRole }) => !minimumRole || (role !== null && roleRank[role] >= roleRank[minimumRole])),
    }))
    .filter(({ sections }) => sections.length > 0);
