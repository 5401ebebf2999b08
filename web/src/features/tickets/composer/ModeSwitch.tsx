import { Lock, Reply } from 'lucide-react';
import { cn } from '../../../lib/cn';
import { t } from '../../../lib/staff-texts';

/**
 * Switches between reply and note. The two differ in color, text and button because a message to the wrong recipient cannot be recalled.
 */
export function ModeSwitch({ internal, onChange }: { internal: boolean; onChange: (internal: boolean) => void }) {
  const mode = (value: boolean) => ({
    type: 'button' as const,
    'aria-pressed': internal === value,
    onClick: () => onChange(value),
    className: cn(
      'inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-xs font-medium whitespace-nowrap touch:h-9 [&_svg]:size-3.5',
      internal !== value && 'text-muted hover:bg-hover hover:text-ink',
      internal === value && (value ? 'bg-amber-line/50 text-amber-text' : 'bg-accent-soft text-accent-text'),
    ),
  });
  return (
    <div role="group" aria-label={t('tickets.composer.comment_type')} className="flex gap-1">
      <button {...mode(false)}>
        <Reply aria-hidden />
        {t('tickets.composer.public_reply')}
      </button>
      <button {...mode(true)}>
        <Lock aria-hidden />
        {t('tickets.composer.internal_note')}
      </button>
    </div>
  );
}
