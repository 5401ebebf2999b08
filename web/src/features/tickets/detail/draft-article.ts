import type { AppDispatch } from '../../../app/store';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { uniqueKey } from '../../../lib/unique';
import { articlesApi } from '../../../app/articles/articles.api';

/** Creates an internal draft from the ticket, and returns its address in the app. Undefined if it failed. */
export async function draftArticle(dispatch: AppDispatch, ticket_id: string): Promise<string | undefined> {
  const draft = articlesApi.endpoints.draftArticleFromTicket;
  const { data, error } = await dispatch(draft.initiate({ ticket_id, key: uniqueKey() }, { track: false }));
  if (!data) return void notify.problem(error, t('tickets.detail.couldnt_create_article'));
  notify.success(t('tickets.detail.article_drafted'), t('tickets.detail.check_article_for_personal_data'));
  return `/articles/${data.id}`;
}
