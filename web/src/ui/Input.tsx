import type { InputHTMLAttributes, Ref, TextareaHTMLAttributes } from 'react';
import { cn } from '../lib/cn';

const box =
  'w-full rounded-md border border-control/60 bg-surface text-ink transition-colors hover:border-control ' +
  'focus-visible:border-focus focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-red-solid ' +
  'aria-invalid:focus-visible:outline-2 aria-invalid:focus-visible:outline-red-solid ' +
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted touch:text-base';

interface InputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> {
  size?: 'md' | 'lg';
  ref?: Ref<HTMLInputElement>;
}
export function Input({ className, size = 'md', type = 'text', ...rest }: InputProps) {
  return (
    <input
      type={type}
      className={cn(box, size === 'md' ? 'h-8 px-2.5 text-sm touch:h-10' : 'h-10 px-3 text-md touch:h-11', className)}
      {...rest}
    />
  );
}

interface TextareaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  ref?: Ref<HTMLTextAreaElement>;
}
export function Textarea({ className, ...rest }: TextareaProps) {
  return <textarea className={cn(box, 'field-sizing-content min-h-24 resize-y px-2.5 py-2 text-sm', className)} {...rest} />;
}
