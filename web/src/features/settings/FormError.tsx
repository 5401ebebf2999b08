import { CircleAlert } from 'lucide-react';

/** The error of a part of the form that is not a single field. */
export function FormError({ id, children }: { id?: string; children: string }) {
  return (
    <p id={id} role="alert" className="flex items-center gap-1 text-xs text-red-text">
      <CircleAlert className="size-3.5 shrink-0" aria-hidden />
      {children}
    </p>
  );
}
