import { useListMembersQuery } from '../../app/api';
import { nameOf } from '../../lib/names';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { TextComparison } from './TextComparison';
import type { ArticleDraft } from './use-article-draft';

/** Both texts, when a colleague has saved the article while the user was writing. */
export function ArticleConflict({ draft: { theirs, fields, saver } }: { draft: ArticleDraft }) {
  const { data: members = [] } = useListMembersQuery();
  if (!theirs) return null;
  const author = nameOf(
    members.find(({ user_id }) => user_id === theirs.updated_by),
    t('articles.another_user'),
  );
  return (
    <Alert tone="destructive" className="mb-4">
      <p className="font-medium">{t('articles.changed_meanwhile', { author })}</p>
      <div className="my-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => saver.resolve(true)}>
          {t('articles.keep_my_text')}
        </Button>
        <Button size="sm" onClick={() => saver.resolve(false)}>
          {t('articles.use_their_text')}
        </Button>
      </div>
      <details>
        <summary className="cursor-pointer">{t('articles.compare_both')}</summary>
        <div className="mt-2 max-h-96 overflow-y-auto rounded-md bg-surface p-2" tabIndex={0}>
          <TextComparison
            before={{ label: t('articles.their_text'), text: `${theirs.title}\n\n${theirs.body}` }}
            after={{ label: t('articles.my_text'), text: `${fields.title}\n\n${fields.body}` }}
          />
        </div>
      </details>
    </Alert>
  );
}
