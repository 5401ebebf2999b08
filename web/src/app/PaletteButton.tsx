import { Command } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { modKey } from '../lib/keyboard';
import { Button } from '../ui/Button';

const load = () => import('./CommandPalette');
const preload = () => void load();
const CommandPalette = lazy(() => load().then((module) => ({ default: module.CommandPalette })));

/** Opens the palette. Mod+K works everywhere, even while typing, but not on top of another dialog. */
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
      <Button
        variant="ghost"
        size="icon"
        // Phones have no keyboard shortcuts, and the top bar has no space for the button.
        className="max-md:hidden"
        aria-label="Commands"
        aria-keyshortcuts="Control+K Meta+K"
        title={`Commands (${modKey} K)`}
        onClick={() => setOpen(true)}
        onPointerEnter={preload}
        onFocus={preload}
      >
        <Command aria-hidden />
      </Button>
      {open && (
        <Suspense fallback={null}>
          <CommandPalette onClose={() => setOpen(false)} onShortcuts={onShortcuts} />
        </Suspense>
      )}
    </>
  );
}
