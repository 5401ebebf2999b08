import { isInline } from '@tandem/contracts/values';
import { useState } from 'react';
import { notify } from '../../lib/notify';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { nameOfFile, refusalOf } from '../../lib/uploads';
import { useAnnounceAttachmentMutation } from '../../app/attachments/files.api';
import type { Edit, Selection } from '../../app/formatting/formatting';
import { useAddArticlePictureMutation } from '../../app/articles/articles.api';

/**
 * Sends pictures to the server and passes the edit that shows each to `onAdded`: the server gives a second `image.png` another name, so the
 * text can refer to a picture only after it was added.
 */
export function useArticlePictures(id: string, onAdded: (insertPicture: (selection: Selection) => Edit) => void) {
  const [announceFile] = useAnnounceAttachmentMutation();
  const [addPicture] = useAddArticlePictureMutation();
  const [running, setRunning] = useState(0);

  const addOne = async (file: File) => {
    const refusal = isInline(file.type) ? refusalOf(file) : t('articles.only_pictures');
    if (refusal) throw new Error(refusal);
    const [{ sendFile }, { insertPictures }] = await Promise.all([
      import('../../lib/send-file'),
      import('../../app/formatting/picture-edits'),
    ]);
    const { attachment_id, upload_url } = await announceFile({ file_name: nameOfFile(file.name), size: file.size }).unwrap();
    await sendFile(upload_url, file, () => undefined, new AbortController().signal);
    const { file_name } = await addPicture({ id, attachment_id }).unwrap();
    onAdded((selection) => insertPictures(selection, [file_name]));
  };
  const add = async (files: File[]) => {
    setRunning((count) => count + files.length);
    // One after the other: the text shows them in the order in which they were chosen.
    for (const file of files) {
      await addOne(file).catch((error: unknown) =>
        notify.error(`${file.name}: ${error instanceof Error ? error.message : messageOf(error, t('articles.couldnt_upload'))}`),
      );
      setRunning((count) => count - 1);
    }
  };
  return { add, isBusy: running > 0 };
}
