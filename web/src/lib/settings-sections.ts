import { roleRank, type Role } from '@tandem/contracts/values';

export interface SettingsSection {
  label: string;
  /** Address of the panel; a hash opens a part of a page. */
  to: string;
  minimumRole?: Role;
}

const admin = (label: string, to: string): SettingsSection => ({ label, to, minimumRole: 'admin' });

/** The settings that exist, by group and in the order of the side navigation. The keys are the values of the parameter `tab`. */
export const settingsGroups = {
  Workspace: {
    organization: admin('General', '/settings?tab=organization'),
    members: admin('Members', '/settings?tab=organization#members'),
    portal: admin('Portal', '/settings?tab=portal'),
    branding: admin('Branding', '/settings?tab=branding'),
    email: admin('Email', '/settings?tab=email'),
    embed: admin('Widget', '/settings?tab=embed'),
    languages: admin('Languages', '/settings?tab=languages'),
  },
  Work: {
    sla: admin('SLA and hours', '/settings?tab=sla'),
    cannedReplies: { label: 'Canned replies', to: '/canned-replies' },
  },
  Connections: {
    integrations: admin('Integrations', '/settings?tab=integrations'),
    api: admin('API', '/settings?tab=api'),
    webhooks: admin('Webhooks', '/settings?tab=webhooks'),
  },
  Security: {
    signIn: admin('Sign-in', '/settings?tab=sign-in'),
    audit: admin('Audit log', '/settings?tab=audit'),
    security: admin('Session log', '/settings?tab=security'),
  },
  Personal: {
    profile: { label: 'Profile', to: '/account' },
    notifications: { label: 'Notifications', to: '/account#notifications' },
    account: { label: 'Account security', to: '/account#security' },
  },
} satisfies Record<string, Record<string, SettingsSection>>;

/** Each section by its key, for links from elsewhere. */
export const settingsSections = {
  ...settingsGroups.Workspace,
  ...settingsGroups.Work,
  ...settingsGroups.Connections,
  ...settingsGroups.Security,
  ...settingsGroups.Personal,
};
export type SettingsSectionKey = keyof typeof settingsSections;

/** The groups with the sections that a role may open; groups without any are left out. */
export const settingsFor = (role: Role | null): { title: string; sections: SettingsSection[] }[] =>
  Object.entries(settingsGroups)
    .map(([title, group]) => ({
      title,
      sections: Object.values<SettingsSection>(group).filter(
        ({ minimumRole }) => !minimumRole || (role !== null && roleRank[role] >= roleRank[minimumRole]),
      ),
    }))
    .filter(({ sections }) => sections.length > 0);
