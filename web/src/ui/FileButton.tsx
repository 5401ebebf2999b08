import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { Button } from './Button';

/** Opens the system's choice of files. In a composer a clip is enough; somebody who comes once gets the words (`showsLabel`). */
export function FileButton({
  onFiles,
  label = 'Attach files',
  disabled,
  showsLabel,
  className,
}: {
  onFiles: (files: File[]) => void;
  label?: string;
  disabled?: boolean;
  showsLabel?: boolean;
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
        {...(showsLabel
          ? { size: 'lg' as const }
          : { variant: 'ghost' as const, size: 'icon-sm' as const, 'aria-label': label, title: label })}
        disabled={disabled}
        className={className}
        onClick={() => input.current?.click()}
      >
        <Paperclip aria-hidden />
        {showsLabel && label}
      </Button>
    </>
  );
}
