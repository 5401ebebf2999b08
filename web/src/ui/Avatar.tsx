import { cn } from '../lib/cn';
import { initialsOf } from '../lib/names';

const tones = [
  'bg-blue-soft text-blue-text',
  'bg-violet-soft text-violet-text',
  'bg-green-soft text-green-text',
  'bg-orange-soft text-orange-text',
  'bg-accent-soft text-accent-text',
  'bg-amber-soft text-amber-text',
];

/** The same person has the same colour everywhere. */
const toneOf = (name: string) =>
  tones[[...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7) % tones.length];

const sizes = { xs: 'size-5 text-[0.5625rem]', sm: 'size-6 text-2xs', md: 'size-8 text-xs' };

/** Decoration: the name stands beside it, or is given as its `title`. */
export function Avatar({
  name,
  size = 'sm',
  title,
  className,
}: {
  name: string;
  size?: keyof typeof sizes;
  title?: string;
  className?: string;
}) {
  return (
    <span
      className={cn(
        'inline-grid shrink-0 place-items-center rounded-full font-semibold tracking-tight select-none',
        sizes[size],
        toneOf(name),
        className,
      )}
      {...(title ? { role: 'img', 'aria-label': title, title } : { 'aria-hidden': true })}
    >
      {initialsOf(name)}
    </span>
  );
}
