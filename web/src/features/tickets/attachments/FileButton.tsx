import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../../ui/Button';

/** Opens the system's choice of files. */
export function FileButton({
  onFiles,
  label = 'Attach files',
  disabled,
  className,
}: {
  onFiles: (files: File[]) => void;
  label?: string;
  disabled?: boolean;
  className?: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={label}
        onChange={({ target }) => {
          if (target.files?.length) onFiles([...target.files]);
          // The same file can be chosen again, after it was removed.
          target.value = '';
        }}
      />
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={label}
        title={label}
        disabled={disabled}
        className={className}
        onClick={() => input.current?.click()}
      >
        <Paperclip aria-hidden />
      </Button>
    </>
  );
}
