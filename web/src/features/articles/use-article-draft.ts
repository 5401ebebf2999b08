import type { Article } from '@tandem/contracts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { onWake } from '../../lib/connection';
import { isProblem, messageOf, problemsByInput } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { articlesApi, useUpdateArticleMutation } from '../../app/articles/articles.api';
import { changesOf, fieldsOf, unsentDrafts, type ArticleFields } from './unsent-drafts';

/** The draft is saved this long after the last change, and when the user leaves the page. */
const saveAfterMs = 1_000;
const retryAfterMs = 5_000;

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'offline' | 'refused' | 'conflict';

const isTemporary = (error: unknown) => !isProblem(error) || error.status === 0 || error.status === 429 || error.status >= 500;

/** The state of the editor outside of React, because a save outlives renders. */
class DraftSaver {
  fields: ArticleFields;
  saved: ArticleFields;
  version: number;
  private isInConflict = false;
  private running: Promise<boolean> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly id: string,
    article: Article,
    private readonly send: (changes: Partial<ArticleFields>, version: number) => Promise<{ data?: Article; error?: unknown }>,
    private readonly report: (state: SaveState, error?: unknown) => void,
  ) {
    const unsent = unsentDrafts.get(id);
    this.saved = unsent?.saved ?? fieldsOf(article);
    this.fields = unsent?.fields ?? this.saved;
    this.version = unsent?.version ?? article.version;
    if (unsent) this.schedule(0);
  }

  get isChanged(): boolean {
    return Object.keys(changesOf(this.saved, this.fields)).length > 0;
  }

  change(news: Partial<ArticleFields>): void {
    this.fields = { ...this.fields, ...news };
    this.store();
    if (this.isInConflict) return;
    this.report(this.isChanged ? 'unsaved' : 'saved');
    this.schedule(saveAfterMs);
  }

  discard(): void {
    clearTimeout(this.timer);
    this.fields = this.saved;
    this.store();
  }

  /** Replaces the text by the server's, or only what the next save is compared with. */
  adopt(article: Article, keepsText: boolean): void {
    this.isInConflict = false;
    this.version = article.version;
    this.saved = fieldsOf(article);
    if (!keepsText) this.fields = this.saved;
    this.store();
  }

  schedule(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), ms);
  }

  /** Resolves with whether the server has everything. Changes during a save are saved after it. */
  async save(): Promise<boolean> {
    clearTimeout(this.timer);
    if (this.running) await this.running;
    if (!this.isChanged) return true;
    if (this.isInConflict) return false;
    this.running = this.saveOnce();
    const isSaved = await this.running;
    this.running = undefined;
    return isSaved && (this.isChanged ? this.save() : true);
  }

  private async saveOnce(): Promise<boolean> {
    const sent = this.fields;
    this.report('saving');
    const { data, error } = await this.send(changesOf(this.saved, sent), this.version);
    if (!data) {
      this.isInConflict = isProblem(error) && error.status === 412;
      this.report(this.isInConflict ? 'conflict' : isTemporary(error) ? 'offline' : 'refused', error);
      if (isTemporary(error)) this.schedule(retryAfterMs);
      return false;
    }
    // Not the response's texts: the server trims them, and the user may be in the middle of a sentence.
    this.saved = sent;
    this.version = data.version;
    this.store();
    this.report(this.isChanged ? 'unsaved' : 'saved');
    return true;
  }

  private store(): void {
    if (this.isChanged) unsentDrafts.keep(this.id, { fields: this.fields, saved: this.saved, version: this.version });
    else unsentDrafts.remove(this.id);
  }
}

/** The draft of the open article. Saves it automatically, never over a colleague's change. */
export function useArticleDraft(article: Article) {
  const [update] = useUpdateArticleMutation();
  const [readLatest] = articlesApi.endpoints.readArticle.useLazyQuery();
  const [state, setState] = useState<SaveState>('saved');
  const [problem, setProblem] = useState<string>();
  const [theirs, setTheirs] = useState<Article>();
  const { id } = article;

  const [saver] = useState(
    () =>
      new DraftSaver(
        id,
        article,
        async (changes, version) => update({ id, changes, version }),
        (next, error) => {
          setState(next);
          setProblem(
            next === 'refused' ? (Object.values(problemsByInput(error))[0] ?? messageOf(error, t('articles.couldnt_save'))) : undefined,
          );
          if (next === 'conflict') void readLatest(id).then(({ data }) => setTheirs(data));
        },
      ),
  );
  const [fields, setFields] = useState(saver.fields);

  useEffect(() => {
    const stopWaking = onWake(() => saver.isChanged && saver.schedule(0));
    return () => {
      stopWaking();
      void saver.save();
    };
  }, [saver]);
  // A colleague's version arrived while nothing was typed here.
  const seen = useRef(article.version);
  useEffect(() => {
    if (seen.current === article.version) return;
    seen.current = article.version;
    if (article.version <= saver.version || saver.isChanged) return;
    saver.adopt(article, false);
    setFields(saver.fields);
  }, [article, saver]);

  const change = useCallback(
    (news: Partial<ArticleFields>) => {
      saver.change(news);
      setFields(saver.fields);
    },
    [saver],
  );
  const resolve = (keepsText: boolean) => {
    if (!theirs) return;
    saver.adopt(theirs, keepsText);
    setFields(saver.fields);
    setTheirs(undefined);
    setState(saver.isChanged ? 'unsaved' : 'saved');
    if (saver.isChanged) void saver.save();
  };
  return {
    fields,
    state,
    problem,
    change,
    save: () => saver.save(),
    /** The version that was saved last, for `publish`. */
    version: () => saver.version,
    /** After a response that changed the version and no text. */
    setVersion: (version: number) => void (saver.version = version),
    latestFields: () => saver.fields,
    /** Before the article is deleted. */
    discard: () => saver.discard(),
    /** The colleague's article, if both changed it. */
    theirs,
    resolve,
  };
}
export type ArticleDraft = ReturnType<typeof useArticleDraft>;
