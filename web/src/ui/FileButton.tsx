import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { uiText } from '../lib/ui-texts';
import { Button } from './Button';

/** Opens the file picker. Icon only by default, as in composers; `showsLabel` adds the text for forms that customers rarely use. */
export function FileButton({
  onFiles,
  label = uiText('attach'),
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
          // Reset, so that the same file can be chosen again after it was removed.
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
