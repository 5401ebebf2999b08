import { LoaderCircle } from 'lucide-react';
import { cloneElement, type ButtonHTMLAttributes, type ReactElement, type ReactNode, type Ref } from 'react';
import { cn } from '../lib/cn';

const base =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none transition-colors duration-100 ' +
  'disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 [&_svg]:shrink-0';
const variants = {
  primary: 'border-transparent bg-accent text-accent-ink hover:bg-accent-hover',
  secondary: 'border-line-strong bg-surface text-ink hover:bg-hover',
  ghost: 'border-transparent text-muted hover:bg-hover hover:text-ink data-[state=open]:bg-hover data-[state=open]:text-ink',
  danger: 'border-transparent bg-red-solid text-red-ink hover:opacity-90',
  note: 'border-transparent bg-amber-solid text-amber-ink hover:opacity-90',
};
const sizes = {
  sm: 'h-7 px-2 text-xs [&_svg]:size-3.5 touch:h-9',
  md: 'h-8 px-3 text-sm [&_svg]:size-4 touch:h-10',
  lg: 'h-10 px-4 text-md [&_svg]:size-4 touch:h-11',
  icon: 'size-8 text-sm [&_svg]:size-4 touch:size-10',
  'icon-sm': 'size-7 [&_svg]:size-4 touch:size-9',
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: keyof typeof variants;
  size?: keyof typeof sizes;
  /** Applies the button's style to the single child, a link for example. */
  asChild?: boolean;
  /** Shows a spinner and ignores clicks. Not `disabled`, which would lose the keyboard focus. */
  busy?: boolean;
  children?: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

type StylableProps = Pick<ButtonProps, 'className' | 'onClick' | 'ref'>;

/** The child's own props take precedence. */
const withStyle = (child: ReactElement<StylableProps>, look: StylableProps) =>
  cloneElement(child, { ...look, ...child.props, className: cn(look.className, child.props.className) });

export function Button({ variant = 'secondary', size = 'md', asChild, busy, className, children, type, onClick, ...rest }: ButtonProps) {
  const classes = cn(base, variants[variant], sizes[size], className);
  if (asChild) return withStyle(children as ReactElement<StylableProps>, { ...rest, ...(onClick ? { onClick } : {}), className: classes });
  return (
    <button
      type={type ?? 'button'}
      className={classes}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      {...rest}
      // Enter in a field also triggers this button: `preventDefault` avoids sending the form twice.
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <LoaderCircle className="animate-spin" aria-hidden />}
      {children}
    </button>
  );
}
