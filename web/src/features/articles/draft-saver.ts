import type { Article } from '@tandem/contracts';
import { isProblem, messageOf, problemsByInput } from '../../lib/problem';
import { onSignOut } from '../../lib/session-cleanup';
import { t } from '../../lib/staff-texts';
import { changesOf, fieldsOf, type ArticleFields } from './article-fields';

/** The draft is saved this long after the last change, and when the user leaves the page. */
const saveAfterMs = 1_000;
const retryAfterMs = 5_000;

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'offline' | 'refused' | 'conflict';

/** What the editor shows. */
export interface DraftView {
  fields: ArticleFields;
  state: SaveState;
  /** Why the server refused the draft. */
  problem: string | undefined;
  /** The colleague's article, if both changed it. */
  theirs: Article | undefined;
}

export interface DraftCalls {
  send: (changes: Partial<ArticleFields>, version: number) => Promise<{ data?: Article; error?: unknown }>;
  readLatest: () => Promise<Article | undefined>;
}

const isTemporary = (error: unknown) => !isProblem(error) || error.status === 0 || error.status === 429 || error.status >= 500;
const reasonOf = (error: unknown) => Object.values(problemsByInput(error))[0] ?? messageOf(error, t('articles.couldnt_save'));

/** The savers of texts that have not reached the server, by article. They outlive the editor, so that no text is lost when the user leaves it offline. */
const unsent = new Map<string, DraftSaver>();
onSignOut({
  drop: () => {
    for (const saver of unsent.values()) saver.end();
    unsent.clear();
  },
});
addEventListener('beforeunload', (event) => {
  if (unsent.size > 0) event.preventDefault();
});

/** The saver that still has unsent text of the article, otherwise a new one. Two savers would take each other's changes for a colleague's. */
export function draftSaver(id: string, article: Article, calls: DraftCalls): DraftSaver {
  const existing = unsent.get(id);
  if (!existing) return new DraftSaver(id, article, calls);
  existing.schedule(0);
  return existing;
}

/** Saves a draft automatically, never over a colleague's change. Outside of React, because a save outlives renders. */
export class DraftSaver {
  private latestVersion: number;
  private saved: ArticleFields;
  private view: DraftView;
  private running: Promise<boolean> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The session of the user who typed it has ended: nothing is sent any more. */
  private isEnded = false;
  private readonly listeners = new Set<(view: DraftView) => void>();

  constructor(
    private readonly id: string,
    article: Article,
    private readonly calls: DraftCalls,
  ) {
    this.saved = fieldsOf(article);
    this.latestVersion = article.version;
    this.view = { fields: this.saved, state: 'saved', problem: undefined, theirs: undefined };
  }

  end(): void {
    this.isEnded = true;
    clearTimeout(this.timer);
  }

  subscribe(listener: (view: DraftView) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
  readonly read = (): DraftView => this.view;

  /** The version that was saved last, for `publish`. */
  version(): number {
    return this.latestVersion;
  }

  /** After a response that changed the version and no text. */
  setVersion(version: number): void {
    this.latestVersion = version;
  }

  get isChanged(): boolean {
    return Object.keys(changesOf(this.saved, this.view.fields)).length > 0;
  }

  readonly change = (news: Partial<ArticleFields>): void => {
    this.show({ fields: { ...this.view.fields, ...news } });
    this.store();
    if (this.view.state === 'conflict') return;
    this.showWhetherSaved();
    this.schedule(saveAfterMs);
  };

  discard(): void {
    clearTimeout(this.timer);
    this.show({ fields: this.saved });
    this.store();
  }

  /** A version that arrived while nothing was typed here. */
  follow(article: Article): void {
    if (article.version > this.latestVersion && !this.isChanged) this.adopt(article, false);
  }

  /** Ends a conflict with the user's text, or with the colleague's. */
  resolve(keepsText: boolean): void {
    if (!this.view.theirs) return;
    this.adopt(this.view.theirs, keepsText);
    this.show({ theirs: undefined });
    this.showWhetherSaved();
    if (this.isChanged) void this.save();
  }

  schedule(ms: number): void {
    clearTimeout(this.timer);
    if (!this.isEnded) this.timer = setTimeout(() => void this.save(), ms);
  }

  /** Resolves with whether the server has everything. Changes during a save are saved after it. */
  async save(): Promise<boolean> {
    clearTimeout(this.timer);
    // Again and again: a save that has ended may have started the next one.
    while (this.running) await this.running;
    if (!this.isChanged) return true;
    if (this.isEnded || this.view.state === 'conflict') return false;
    this.running = this.saveOnce();
    const isSaved = await this.running;
    this.running = undefined;
    return isSaved && (this.isChanged ? this.save() : true);
  }

  private async saveOnce(): Promise<boolean> {
    const sent = this.view.fields;
    this.show({ state: 'saving', problem: undefined });
    const { data, error } = await this.calls.send(changesOf(this.saved, sent), this.latestVersion);
    if (!data) {
      this.refuse(error);
      return false;
    }
    // Not the response's texts: the server trims them, and the user may be in the middle of a sentence.
    this.saved = sent;
    this.latestVersion = data.version;
    this.store();
    this.showWhetherSaved();
    return true;
  }

  private refuse(error: unknown): void {
    if (isProblem(error) && error.status === 412) {
      this.show({ state: 'conflict' });
      void this.calls.readLatest().then((theirs) => (theirs ? this.show({ theirs }) : this.retry()));
    } else if (isTemporary(error)) this.retry();
    else this.show({ state: 'refused', problem: reasonOf(error) });
  }

  private retry(): void {
    this.show({ state: 'offline' });
    this.schedule(retryAfterMs);
  }

  private adopt(article: Article, keepsText: boolean): void {
    this.latestVersion = article.version;
    this.saved = fieldsOf(article);
    if (!keepsText) this.show({ fields: this.saved });
    this.store();
  }

  private showWhetherSaved(): void {
    this.show({ state: this.isChanged ? 'unsaved' : 'saved', problem: undefined });
  }

  private show(news: Partial<DraftView>): void {
    this.view = { ...this.view, ...news };
    for (const listener of this.listeners) listener(this.view);
  }

  private store(): void {
    if (this.isEnded) return;
    if (this.isChanged) unsent.set(this.id, this);
    else unsent.delete(this.id);
  }
}
