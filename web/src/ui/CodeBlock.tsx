import { Copy } from 'lucide-react';
import { copyText } from '../lib/clipboard';
import { cn } from '../lib/cn';
import { Button } from './Button';

interface CodeBlockProps {
  code: string;
  /** What it is, for the button and for whoever cannot see it. */
  label: string;
  /** What is said once it is on the clipboard. */
  said?: string;
  onCopy?: () => void;
  className?: string;
}

/** Something to take over as it stands, with a button that does. */
export const CodeBlock = ({ code, label, said, onCopy, className }: CodeBlockProps) => (
  <div className={cn('relative rounded-md border bg-sunken', className)}>
    {/* It scrolls sideways: the keyboard must reach it. */}
    <pre tabIndex={0} role="region" aria-label={label} className="overflow-x-auto rounded-md py-3 pr-14 pl-3 font-mono text-xs">
      <code>{code}</code>
    </pre>
    <Button
      size="icon-sm"
      className="absolute top-1.5 right-1.5"
      aria-label={`Copy: ${label}`}
      title="Copy"
      onClick={() => {
        void copyText(code, said);
        onCopy?.();
      }}
    >
      <Copy aria-hidden />
    </Button>
  </div>
);
