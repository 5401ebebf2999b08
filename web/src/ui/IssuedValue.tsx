import { useState, type ReactNode } from 'react';
import { t } from '../lib/staff-texts';
import { Alert } from './Alert';
import { Button } from './Button';
import { CodeBlock } from './CodeBlock';
import { Dialog } from './Dialog';

interface IssuedValueProps {
  title: string;
  kind: 'token' | 'secret';
  value: string;
  /** A command or code that uses the value. */
  example?: { label: string; intro: string; code: string };
  onClose: () => void;
  children?: ReactNode;
}

/** A value that is shown only once. Closing it before it was copied needs a second click. */
export function IssuedValue({ title, kind, value, example, onClose, children }: IssuedValueProps) {
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
          {isWarned && !isCopied ? t('ui.close_without_copying') : t('ui.done')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {isWarned && !isCopied ? (
          <Alert tone="destructive">{t('ui.value_was_not_copied', { kind })}</Alert>
        ) : (
          <Alert tone="success">{t('ui.copy_value_now', { kind })}</Alert>
        )}
        <CodeBlock label={t('ui.new_value', { kind })} code={value} onCopy={() => setIsCopied(true)} />
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
