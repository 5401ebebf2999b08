import { cn } from '../lib/cn';
import { initialsOf } from '../lib/names';

/** Avoids the colors of statuses, priorities, warnings and errors: a green avatar next to 'Resolved' would seem to mean something. */
export const avatarTones = [
  'bg-avatar-rose-soft text-avatar-rose-text',
  'bg-avatar-plum-soft text-avatar-plum-text',
  'bg-avatar-indigo-soft text-avatar-indigo-text',
  'bg-avatar-slate-soft text-avatar-slate-text',
  'bg-avatar-teal-soft text-avatar-teal-text',
  'bg-avatar-olive-soft text-avatar-olive-text',
];

/** A stable color per name, so that a person has the same color everywhere. */
const toneOf = (name: string) =>
  avatarTones[[...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7) % avatarTones.length];

const sizes = { xs: 'size-5 text-[0.5625rem]', sm: 'size-6 text-2xs', md: 'size-8 text-xs' };

/** Decorative: show the name next to it, or pass it as `title`. */
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
