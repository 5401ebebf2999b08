import { Search } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { modKey } from '../lib/keyboard';
import { t } from '../lib/staff-texts';
import { Kbd } from '../ui/Kbd';

const load = () => import('./palette/CommandPalette');
const preload = () => void load();
const CommandPalette = lazy(() => load().then((module) => ({ default: module.CommandPalette })));

/** Whether the palette is open, and the text in it. Mod+K opens and closes it. */
function usePalette() {
  const [text, setText] = useState<string>();
  // Set before React renders, because the next key press may come first.
  const isOpenRef = useRef(false);
  const show = useCallback((isOpen: boolean) => {
    isOpenRef.current = isOpen;
    setText(isOpen ? '' : undefined);
  }, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const hasModifier = event.metaKey || event.ctrlKey;
      if (hasModifier && event.key.toLowerCase() === 'k' && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        if (isOpenRef.current || !document.querySelector('[role=dialog],[role=alertdialog]')) show(!isOpenRef.current);
        return;
      }
      // Until the palette has the focus, the page would treat typed keys as its own shortcuts.
      if (!isOpenRef.current || hasModifier || event.altKey) return;
      if (document.activeElement?.hasAttribute('cmdk-input') || event.key === 'Tab') return;
      if (event.key === 'Escape') return show(false);
      event.preventDefault();
      event.stopPropagation();
      if (event.key.length === 1) setText((before = '') => before + event.key);
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [show]);
  return { text, setText, show };
}

/**
 * The search field of the top bar, which opens the palette; an icon where space is limited. Mod+K works everywhere, even while typing, but
 * not on top of another dialog.
 */
export function PaletteButton({ onShortcuts }: { onShortcuts: () => void }) {
  const { text, setText, show } = usePalette();
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        className="flex h-8 shrink-0 items-center gap-2 rounded-md text-muted transition-colors hover:text-ink max-xl:size-8 max-xl:justify-center max-xl:hover:bg-hover xl:mr-1.5 xl:w-60 xl:border xl:border-line-strong xl:bg-canvas xl:pr-1.5 xl:pl-2.5 xl:hover:border-control touch:size-10"
        onClick={() => show(true)}
        onPointerEnter={preload}
        onFocus={preload}
      >
        <Search className="size-4 shrink-0" aria-hidden />
        <span className="flex-1 text-left max-xl:sr-only">{t('app.search_or_jump_to')}</span>
        <span className="flex gap-0.5 max-xl:hidden" aria-hidden>
          {[modKey, 'K'].map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      </button>
      {text !== undefined && (
        <Suspense fallback={null}>
          <CommandPalette typed={text} onType={setText} onClose={() => show(false)} onShortcuts={onShortcuts} />
        </Suspense>
      )}
    </>
  );
}
