import type { ReactNode } from 'react';

export const Kbd = ({ children }: { children: ReactNode }) => (
  <kbd className="inline-flex h-[1.125rem] min-w-[1.125rem] items-center justify-center rounded-xs border border-line-strong bg-sunken px-1 font-sans text-2xs font-medium text-muted">
    {children}
  </kbd>
);
