import { Upload as UploadIcon } from 'lucide-react';
import { useEffect, useState, type DragEvent, type ReactNode } from 'react';
import { cn } from '../lib/cn';
import { uiText } from '../lib/ui-texts';
import { filesOf } from '../lib/uploads';

const carriesFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }) => dataTransfer?.types.includes('Files') === true;

/** Prevents drops outside of drop areas: the browser would open the file instead of the page, and unsaved input would be lost. */
function useNoStrayDrops() {
  useEffect(() => {
    const hold = (event: globalThis.DragEvent) => {
      if (!carriesFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
    };
    addEventListener('dragover', hold);
    addEventListener('drop', hold);
    return () => {
      removeEventListener('dragover', hold);
      removeEventListener('drop', hold);
    };
  }, []);
}

/** Accepts files dropped on its children, and highlights them while files are dragged over. */
export function DropArea({ onFiles, children, className }: { onFiles: (files: File[]) => void; children: ReactNode; className?: string }) {
  useNoStrayDrops();
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setIsOver(true);
  };
  return (
    <div
      className={cn('relative', className)}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={(event) => {
        // Moving from one child to another also fires `dragleave`.
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setIsOver(false);
        const files = filesOf(event);
        if (files.length > 0) onFiles(files);
      }}
    >
      {children}
      {isOver && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-0 z-10 flex items-center justify-center gap-2 rounded-lg border-2 border-dashed border-focus bg-accent-soft/90 text-sm font-medium text-accent-text [&_svg]:size-4"
        >
          <UploadIcon />
          {uiText('drop')}
        </div>
      )}
    </div>
  );
}
