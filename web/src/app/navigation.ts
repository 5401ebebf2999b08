import { roleRank, type Role } from '@tandem/contracts/values';
import { Book, Blocks, Building2, ChartNoAxesColumn, Inbox, LayoutDashboard, Settings, type LucideIcon } from 'lucide-react';
import { t } from '../lib/staff-texts';
import { useSession } from './api';

export interface NavigationEntry {
  to: string;
  label: string;
  icon: LucideIcon;
  keys: string[];
  /** Hidden from users with a lower role, as the page's guard would redirect them. */
  minimumRole?: Role;
  /** Not in the bottom bar of phones, which has space for five entries: Settings has the same panels. */
  isInSettings?: boolean;
}
/** Only pages that exist are listed here, so the rail has no dead links. */
const entries: NavigationEntry[] = [
  { to: '/dashboard', label: t('app.dashboard'), icon: LayoutDashboard, keys: ['g', 'd'] },
  { to: '/tickets', label: t('app.tickets'), icon: Inbox, keys: ['g', 't'] },
  { to: '/articles', label: t('app.articles'), icon: Book, keys: ['g', 'k'] },
  { to: '/analytics', label: t('app.analytics'), icon: ChartNoAxesColumn, keys: ['g', 'a'], minimumRole: 'manager' },
  {
    to: '/integration',
    label: t('app.integration'),
    icon: Blocks,
    keys: ['g', 'i'],
    minimumRole: 'admin',
    isInSettings: true,
  },
  {
    to: '/organization-settings',
    label: t('app.organization'),
    icon: Building2,
    keys: ['g', 'o'],
    minimumRole: 'admin',
    isInSettings: true,
  },
  { to: '/settings', label: t('app.settings'), icon: Settings, keys: ['g', 's'], minimumRole: 'admin' },
];

/** The navigation entries that the user's role may open. */
export function useNavigationEntries(): NavigationEntry[] {
  const { role } = useSession().profile;
  return entries.filter(({ minimumRole }) => !minimumRole || (role !== null && roleRank[role] >= roleRank[minimumRole]));
}
