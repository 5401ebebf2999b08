import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { modKey } from '../lib/keyboard';
import { Kbd } from '../ui/Kbd';

const load = () => import('./palette/CommandPalette');
const preload = () => void load();
const CommandPalette = lazy(() => load().then((module) => ({ default: module.CommandPalette })));

/**
 * The search field of the top bar, which opens the palette; an icon where space is limited. Mod+K works everywhere, even while typing, but
 * not on top of another dialog.
 */
export function PaletteButton({ onShortcuts }: { onShortcuts: () => void }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      if (open) setOpen(false);
      else if (!document.querySelector('[role=dialog],[role=alertdialog]')) setOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [open]);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        className="flex h-8 shrink-0 items-center gap-2 rounded-md text-muted transition-colors hover:text-ink max-xl:size-8 max-xl:justify-center max-xl:hover:bg-hover xl:mr-1.5 xl:w-60 xl:border xl:border-line-strong xl:bg-canvas xl:pr-1.5 xl:pl-2.5 xl:hover:border-control touch:size-10"
        onClick={() => setOpen(true)}
        onPointerEnter={preload}
        onFocus={preload}
      >
        <Search className="size-4 shrink-0" aria-hidden />
        <span className="flex-1 text-left max-xl:sr-only">Search or jump to…</span>
        <span className="flex gap-0.5 max-xl:hidden" aria-hidden>
          <Kbd>{modKey}</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      {open && (
        <Suspense fallback={null}>
          <CommandPalette onClose={() => setOpen(false)} onShortcuts={onShortcuts} />
        </Suspense>
      )}
    </>
  );
}
