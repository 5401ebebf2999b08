import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { copyText } from '../lib/clipboard';
import { cn } from '../lib/cn';
import { t } from '../lib/staff-texts';
import { Button } from './Button';

interface CodeBlockProps {
  code: string;
  /** Name of the code, for the copy button and for screen readers. */
  label: string;
  /** Toast text after copying. */
  copiedMessage?: string;
  onCopy?: () => void;
  className?: string;
  /** The same code with highlights. */
  children?: ReactNode;
}

/** Code to copy, with a copy button. */
export const CodeBlock = ({ code, label, copiedMessage, onCopy, className, children = code }: CodeBlockProps) => (
  <div className={cn('relative rounded-md border bg-sunken', className)}>
    {/* Scrolls horizontally, so it must be focusable for keyboard users. */}
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      className="overflow-x-auto rounded-md py-3 pr-14 pl-3 font-mono text-xs touch:py-4 print:whitespace-pre-wrap"
    >
      <code>{children}</code>
    </pre>
    <Button
      size="icon-sm"
      className="absolute top-1.5 right-1.5 print:hidden"
      aria-label={t('ui.copy_label', { label })}
      title={t('ui.copy')}
      onClick={() => {
        void copyText(code, copiedMessage);
        onCopy?.();
      }}
    >
      <Copy aria-hidden />
    </Button>
  </div>
);
