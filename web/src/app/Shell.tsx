import { Moon, Sun } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link, Outlet, useLocation, useMatch, useNavigate } from 'react-router-dom';
import { Bell } from '../features/notifications/Bell';
import { cn } from '../lib/cn';
import { useHotkeys } from '../lib/keyboard';
import { nameOf } from '../lib/names';
import { t } from '../lib/staff-texts';
import { useIsDark } from '../lib/theme';
import { undoLast } from '../lib/undo';
import { Avatar } from '../ui/Avatar';
import { Button } from '../ui/Button';
import { ConnectionNote } from '../ui/ConnectionNote';
import { LazyPopup } from '../ui/LazyPopup';
import { LogoMark } from '../ui/Logo';
import { PageHeaderSlot } from '../ui/PageHeader';
import { PageSkeleton } from '../ui/PageSkeletons';
import { useSession } from './api';
import { RequiredFields } from './custom-fields/RequiredFields';
import { ErrorBoundary } from './ErrorPage';
import { PaletteButton } from './PaletteButton';
import { useNavigationEntries, type NavigationEntry } from './navigation';
import { TrialNote } from './TrialNote';
import { usePopupPreload } from './use-popup-preload';
import { useResumedOutbox } from './use-resumed-outbox';
import { useLive } from './use-live';
import { useMonitoring } from './use-monitoring';

const loadMenus = () => import('./shell-menus');
const ProfileMenu = lazy(() => loadMenus().then((module) => ({ default: module.ProfileMenu })));
const ThemeMenu = lazy(() => loadMenus().then((module) => ({ default: module.ThemeMenu })));
const DemoBanner = lazy(() => import('./DemoBanner').then((module) => ({ default: module.DemoBanner })));
const DeletionBanner = lazy(() => import('./DeletionBanner').then((module) => ({ default: module.DeletionBanner })));
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog').then((module) => ({ default: module.ShortcutsDialog })));

/** Also true for subpages: a ticket's page belongs to Tickets. */
const useIsPlace = (to: string) => useMatch({ path: to, end: false }) !== null;

function RailLink({ to, label, icon: Icon, keys }: NavigationEntry) {
  const isHere = useIsPlace(to);
  return (
    <Link
      to={to}
      title={`${label} (${keys.join(' ')})`}
      aria-current={isHere ? 'page' : undefined}
      className={cn(
        'flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium transition-colors max-xl:size-9 max-xl:justify-center max-xl:px-0',
        isHere ? 'bg-hover text-ink [&_svg]:text-accent-text' : 'text-muted hover:bg-hover hover:text-ink',
      )}
    >
      <Icon className="size-4 shrink-0" aria-hidden />
      <span className="max-xl:sr-only">{label}</span>
    </Link>
  );
}

function Rail({ organization }: { organization: string }) {
  return (
    <nav aria-label={t('app.main')} className="hidden w-52 shrink-0 flex-col border-r bg-canvas max-xl:w-14 md:flex print:hidden">
      <div className="flex h-12 items-center gap-2.5 px-3.5 max-xl:justify-center max-xl:px-0">
        <LogoMark className="size-6 shrink-0" />
        <span className="truncate font-semibold max-xl:sr-only" title={organization}>
          {organization}
        </span>
      </div>
      <div className="flex flex-col gap-0.5 px-2 pt-1 max-xl:items-center">
        {useNavigationEntries().map((entry) => (
          <RailLink key={entry.to} {...entry} />
        ))}
      </div>
      <TrialNote />
    </nav>
  );
}

function BottomLink({ to, label, icon: Icon }: NavigationEntry) {
  const isHere = useIsPlace(to);
  return (
    <Link
      to={to}
      aria-current={isHere ? 'page' : undefined}
      className={cn('flex flex-1 flex-col items-center gap-0.5 py-2 text-2xs font-medium', isHere ? 'text-accent-text' : 'text-muted')}
    >
      <Icon className="size-5" aria-hidden />
      {label}
    </Link>
  );
}

/** Navigation on phones, within reach of the thumb. Hidden on ticket pages, which use the whole screen. */
function BottomBar() {
  const mine = useNavigationEntries().filter(({ isInSettings }) => !isInSettings);
  const ticket = useMatch('/tickets/:id/*');
  if (ticket) return null;
  return (
    <nav
      aria-label={t('app.main')}
      data-above-toasts
      className="flex shrink-0 border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      {mine.map((entry) => (
        <BottomLink key={entry.to} {...entry} />
      ))}
    </nav>
  );
}

function ThemeSwitch() {
  const dark = useIsDark();
  const trigger = (
    // On phones the palette switches the theme: the top bar has no space for this button.
    <Button variant="ghost" size="icon" aria-label={t('app.theme')} className="max-sm:hidden">
      {dark ? <Moon aria-hidden /> : <Sun aria-hidden />}
    </Button>
  );
  return (
    <LazyPopup trigger={trigger} opens="menu" load={loadMenus}>
      <ThemeMenu trigger={trigger} />
    </LazyPopup>
  );
}

function ProfileButton({ onShortcuts }: { onShortcuts: () => void }) {
  const { profile } = useSession();
  const trigger = (
    <button type="button" className="ml-1 rounded-full outline-offset-2">
      <span className="sr-only">{t('app.your_profile')}</span>
      <Avatar name={nameOf(profile)} size="md" className="size-7 text-2xs touch:size-9" />
    </button>
  );
  return (
    <LazyPopup trigger={trigger} opens="menu" load={loadMenus}>
      <ProfileMenu trigger={trigger} onShortcuts={onShortcuts} />
    </LazyPopup>
  );
}

function DemoNote() {
  const endsAt = useSession().organization?.demo_ends_at;
  if (!endsAt) return null;
  return (
    <Suspense fallback={null}>
      <DemoBanner endsAt={endsAt} />
    </Suspense>
  );
}

/** Other members cannot cancel a deletion: the admins tell them. */
function DeletionNote() {
  const { organization, profile } = useSession();
  // Undefined while an older version of identity answers, during an upgrade.
  if (!organization?.deletion_at || profile.role !== 'admin') return null;
  return (
    <Suspense fallback={null}>
      <DeletionBanner id={organization.id} name={organization.name} deletionAt={organization.deletion_at} />
    </Suspense>
  );
}

/** The frame of every page for members: rail, top bar, and the page content. */
export function Shell() {
  const { organization } = useSession();
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const [shortcuts, setShortcuts] = useState(false);
  const navigate = useNavigate();
  const area = useLocation().pathname.split('/')[1];
  useLive();
  useResumedOutbox();
  useMonitoring();
  usePopupPreload();
  useHotkeys({
    ...Object.fromEntries(useNavigationEntries().map(({ keys, to }) => [keys.join(' '), () => void navigate(to)])),
    c: () => void navigate('/tickets/new'),
    '/': () => void navigate('/tickets', { state: { focus: 'search' } }),
    '?': () => setShortcuts(true),
    z: undoLast,
  });
  return (
    <PageHeaderSlot value={slot}>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('app.skip_to_content')}
      </a>
      {/* Positioned and clipped: otherwise visually hidden labels far down a page make the window itself scroll. */}
      <div className="relative flex h-dvh overflow-clip print:h-auto print:overflow-visible">
        <Rail organization={organization?.name ?? t('app.tandem')} />
        <div className="flex min-w-0 flex-1 flex-col bg-surface">
          <DemoNote />
          <DeletionNote />
          <header className="flex h-12 shrink-0 items-center gap-2 border-b px-4 max-md:px-3 print:hidden">
            <div ref={setSlot} className="flex min-w-0 flex-1 items-center gap-3" />
            <div className="flex items-center gap-0.5">
              <PaletteButton onShortcuts={() => setShortcuts(true)} />
              <Bell />
              <ThemeSwitch />
              <ProfileButton onShortcuts={() => setShortcuts(true)} />
            </div>
          </header>
          <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col">
            <ErrorBoundary key={area}>
              <Suspense fallback={<PageSkeleton />}>
                <Outlet />
              </Suspense>
            </ErrorBoundary>
          </main>
          <BottomBar />
        </div>
      </div>
      <ConnectionNote />
      <RequiredFields />
      {shortcuts && (
        <Suspense fallback={null}>
          <ShortcutsDialog open onOpenChange={setShortcuts} />
        </Suspense>
      )}
    </PageHeaderSlot>
  );
}
