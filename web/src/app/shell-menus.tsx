import { BookOpen, Keyboard, LogOut, MessageSquareText, Monitor, Moon, Sun, UserRound, type LucideIcon } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { nameOf } from '../lib/names';
import { roleNames } from '../lib/role-names';
import { t } from '../lib/staff-texts';
import { chooseTheme, useThemeChoice, type ThemeChoice } from '../lib/theme';
import type { LazyPopupTrigger } from '../ui/LazyPopup';
import { MenuPopup } from '../ui/MenuPopup';
import { useSession } from './api';
import { useSignOut } from './session-store';

// The menus of the top bar. Not part of the first load of a page: Shell.tsx loads them when the user points at their buttons.

const themes: { value: ThemeChoice; label: string; icon: LucideIcon }[] = [
  { value: 'light', label: t('app.light'), icon: Sun },
  { value: 'dark', label: t('app.dark'), icon: Moon },
  { value: 'system', label: t('app.system'), icon: Monitor },
];

export function ThemeMenu({ trigger }: { trigger: LazyPopupTrigger }) {
  const choice = useThemeChoice();
  return (
    <MenuPopup
      className="min-w-36"
      trigger={trigger}
      entries={themes.map(({ value, label, icon }) => ({ label, icon, checked: value === choice, onSelect: () => chooseTheme(value) }))}
    />
  );
}

const roleText = (role: string | null, organization: string | undefined) =>
  role && organization ? t('app.role_at_organization', { role, organization }) : (role ?? organization);

export function ProfileMenu({ trigger, onShortcuts }: { trigger: LazyPopupTrigger; onShortcuts: () => void }) {
  const { profile, organization } = useSession();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const who = (
    <span className="flex flex-col gap-0.5 py-0.5 *:truncate">
      <span className="text-sm font-semibold text-ink">{nameOf(profile)}</span>
      <span>{profile.email}</span>
      <span>{roleText(profile.role && roleNames[profile.role], organization?.name)}</span>
    </span>
  );
  return (
    <MenuPopup
      className="max-w-80 min-w-56"
      trigger={trigger}
      entries={[
        { heading: who },
        'separator',
        { label: t('app.your_account'), icon: UserRound, onSelect: () => void navigate('/account') },
        { label: t('app.canned_replies'), icon: MessageSquareText, onSelect: () => void navigate('/canned-replies') },
        { label: t('app.documentation'), icon: BookOpen, onSelect: () => void navigate('/docs') },
        { label: t('app.keyboard_shortcuts'), icon: Keyboard, onSelect: onShortcuts },
        { label: t('app.sign_out'), icon: LogOut, onSelect: () => void signOut() },
      ]}
    />
  );
}
