import type { Article } from '@tandem/contracts';
import { useNavigate } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { offerUndo } from '../../lib/undo';
import {
  useDeleteArticleMutation,
  usePublishArticleMutation,
  useRestoreArticleMutation,
  useUnpublishArticleMutation,
} from '../../app/articles/article-publishing.api';
import type { ArticleDraft } from './use-article-draft';

/** Publishing, unpublishing and deleting the open article. */
export function useArticleActions({ id, title }: Article, { saver }: ArticleDraft) {
  const navigate = useNavigate();
  const [publish, { isLoading: isPublishing }] = usePublishArticleMutation();
  const [unpublish] = useUnpublishArticleMutation();
  const [remove] = useDeleteArticleMutation();
  const [restore] = useRestoreArticleMutation();

  const publishNow = async () => {
    // The server publishes what it has: the draft must be there first.
    if (!(await saver.save())) return notify.error(t('articles.not_saved_so_not_published'));
    const { data, error } = await publish({ id, version: saver.version() });
    if (error) return notify.problem(error, t('articles.couldnt_publish'));
    saver.setVersion(data.version);
    notify.success(t('articles.was_published'), data.title);
  };
  const unpublishNow = async () => {
    const { data, error } = await unpublish(id);
    if (error) return notify.problem(error, t('articles.couldnt_unpublish'));
    saver.setVersion(data.version);
    notify.success(t('articles.was_unpublished'), data.title);
  };
  const undoDelete = () => void restore(id).then(({ error }) => error && notify.problem(error, t('articles.couldnt_restore')));
  const deleteNow = async () => {
    await saver.save();
    const { error } = await remove(id);
    if (error) return notify.problem(error, t('articles.couldnt_delete'));
    saver.discard();
    void navigate('/articles');
    offerUndo(t('articles.was_deleted'), title, undoDelete);
  };
  return { publishNow, isPublishing, unpublishNow, deleteNow };
}
