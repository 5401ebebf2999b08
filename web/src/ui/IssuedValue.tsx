import { useState, type ReactNode } from 'react';
import { Alert } from './Alert';
import { Button } from './Button';
import { CodeBlock } from './CodeBlock';
import { Dialog } from './Dialog';

interface IssuedValueProps {
  title: string;
  /** Name of the secret: 'token' or 'secret'. */
  noun: string;
  value: string;
  /** A command or code that uses the value. */
  example?: { label: string; intro: string; code: string };
  onClose: () => void;
  children?: ReactNode;
}

/** A value that is shown only once. Closing it before it was copied needs a second click. */
export function IssuedValue({ title, noun, value, example, onClose, children }: IssuedValueProps) {
  const [isCopied, setIsCopied] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  const close = () => (isCopied || isWarned ? onClose() : setIsWarned(true));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={title}
      wide
      footer={
        <Button variant="primary" onClick={close}>
          {isWarned && !isCopied ? 'Close without copying' : 'Done'}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {isWarned && !isCopied ? (
          <Alert tone="destructive">You haven’t copied the {noun}. It won’t be shown again.</Alert>
        ) : (
          <Alert tone="success">Copy the {noun} now and store it safely. It won’t be shown again.</Alert>
        )}
        <CodeBlock label={`New ${noun}`} code={value} onCopy={() => setIsCopied(true)} />
        {example && (
          <div>
            <p className="mb-1.5 text-muted">{example.intro}</p>
            <CodeBlock label={example.label} code={example.code} onCopy={() => setIsCopied(true)} />
          </div>
        )}
        {children}
      </div>
    </Dialog>
  );
}
