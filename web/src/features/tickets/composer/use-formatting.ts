import { isInline, pictureMarkdown } from '@tandem/contracts/values';
import type { RefObject } from 'react';
import { nameOfFile, refusalOf } from '../../../lib/uploads';
import { insertPictures, uniqueNames, withoutPicture } from '../../../app/formatting/picture-edits';
import { useTextEdits } from '../../../app/formatting/text-edits';
import type { Composing } from './use-composer';

/** Formats the selection, and shows pasted and dropped pictures where the cursor is. */
export function useFormatting(box: RefObject<HTMLTextAreaElement | null>, { uploads, write, latestText }: Composing) {
  const { edit, ...edits } = useTextEdits(box, (text) => write({ text }));
  return {
    ...edits,
    addFiles: (files: File[]) => {
      const names = uniqueNames(
        files.map(({ name }) => nameOfFile(name)),
        uploads.uploads.map(({ name }) => name),
      );
      const named = files.map((file, index) => (file.name === names[index] ? file : new File([file], names[index]!, { type: file.type })));
      uploads.add(named);
      const pictures = named.filter((file) => isInline(file.type) && refusalOf(file) === undefined);
      if (pictures.length > 0)
        edit((selection) =>
          insertPictures(
            selection,
            pictures.map(({ name }) => name),
          ),
        );
    },
    removeFile: (key: string) => {
      const name = uploads.uploads.find((upload) => upload.key === key)?.name;
      uploads.remove(key);
      if (name !== undefined && latestText().includes(pictureMarkdown(name))) write({ text: withoutPicture(latestText(), name) });
    },
  };
}
