import { tabStorage } from '../../lib/tab-storage';

const articlesKey = 'help-has-articles';
export const rememberArticles = (hasArticles: boolean): void => tabStorage.write(articlesKey, hasArticles);
/** Whether a page of this tab has found help articles. Pages that show none do not send a request to find out. */
export const knowsArticles = (): boolean => tabStorage.read<boolean>(articlesKey) === true;
