import type { Article } from '@tandem/contracts';
import { useEffect, useState } from 'react';
import { articlesApi, useUpdateArticleMutation } from '../../app/articles/articles.api';
import { onWake } from '../../lib/connection';
import { draftSaver } from './draft-saver';

/** The draft of the open article. */
export function useArticleDraft(article: Article) {
  const { id } = article;
  const [update] = useUpdateArticleMutation();
  const [readLatest] = articlesApi.endpoints.readArticle.useLazyQuery();
  const [saver] = useState(() =>
    draftSaver(id, article, {
      send: async (changes, version) => update({ id, changes, version }),
      readLatest: async () => (await readLatest(id)).data,
    }),
  );
  const [view, setView] = useState(saver.read);
  useEffect(() => saver.subscribe(setView), [saver]);
  useEffect(() => {
    const stopWaking = onWake(() => saver.isChanged && saver.schedule(0));
    return () => {
      stopWaking();
      void saver.save();
    };
  }, [saver]);
  useEffect(() => saver.follow(article), [article, saver]);
  return { ...view, saver };
}
export type ArticleDraft = ReturnType<typeof useArticleDraft>;
