import { Bold, Code, Italic, Link as LinkIcon, List, TextQuote, type LucideIcon } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { modKey } from '../../lib/keyboard';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import type { Format } from './formatting';

interface FormatButton {
  format: Format;
  label: string;
  icon: LucideIcon;
  /** `code` is the position of the key, because Shift changes the character of a number key. */
  key: { code: string; shift?: boolean; name: string };
}

export const formatButtons: FormatButton[] = [
  { format: 'bold', label: t('tickets.composer.bold'), icon: Bold, key: { code: 'KeyB', name: 'B' } },
  { format: 'italic', label: t('tickets.composer.italic'), icon: Italic, key: { code: 'KeyI', name: 'I' } },
  { format: 'link', label: t('tickets.composer.link'), icon: LinkIcon, key: { code: 'KeyK', shift: true, name: 'K' } },
  { format: 'list', label: t('tickets.composer.list'), icon: List, key: { code: 'Digit8', shift: true, name: '8' } },
  { format: 'quote', label: t('tickets.composer.quote'), icon: TextQuote, key: { code: 'Digit9', shift: true, name: '9' } },
  { format: 'code', label: t('tickets.composer.code'), icon: Code, key: { code: 'KeyE', name: 'E' } },
];

/** The format of a key press with Ctrl or Cmd. By its character for letters, which keyboards place differently. */
export function formatOfKey({ code, key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): Format | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  return formatButtons.find(({ key: wanted }) => {
    const isKey = wanted.code.startsWith('Key') ? key.toUpperCase() === wanted.name : code === wanted.code;
    return isKey && shiftKey === (wanted.shift ?? false);
  })?.format;
}

const ariaKeys = ({ shift, name }: FormatButton['key']) =>
  ['Control', 'Meta'].map((mod) => `${mod}+${shift ? 'Shift+' : ''}${name}`).join(' ');
const steps: Record<string, (at: number) => number> = {
  ArrowRight: (at) => (at + 1) % formatButtons.length,
  ArrowLeft: (at) => (at - 1 + formatButtons.length) % formatButtons.length,
  Home: () => 0,
  End: () => formatButtons.length - 1,
};

/** Buttons that format the selected text. One of them is in the tab order; arrow keys move between them. */
export function FormatBar({ onFormat }: { onFormat: (format: Format) => void }) {
  const bar = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = steps[event.key]?.(at);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div ref={bar} role="toolbar" aria-label={t('tickets.composer.formatting')} onKeyDown={onKeyDown} className="flex max-sm:hidden">
      {formatButtons.map(({ format, label, icon: Icon, key }, index) => (
        <Button
          key={format}
          variant="ghost"
          size="icon-sm"
          tabIndex={index === at ? 0 : -1}
          aria-label={label}
          aria-keyshortcuts={ariaKeys(key)}
          title={`${label} (${modKey}+${key.shift ? 'Shift+' : ''}${key.name})`}
          // The text box keeps the focus and its selection.
          onPointerDown={(event) => event.preventDefault()}
          onFocus={() => setAt(index)}
          onClick={() => onFormat(format)}
        >
          <Icon aria-hidden />
        </Button>
      ))}
    </div>
  );
}
