import type { HelpUse, SubmitWidgetTicket } from '@tandem/contracts';
import {
  addWidgetComment,
  listWidgetFields,
  readArticleInWidget,
  readWidgetConfig,
  readWidgetTicket,
  readWidgetWording,
  recordHelpUseInWidget,
  searchArticlesInWidget,
  submitWidgetTicket,
} from '@tandem/contracts/endpoints';
import type { Language } from '@tandem/contracts/values';
import { call, type Result } from '../../lib/call';
import { withChallenge } from '../../lib/challenge';
import { send, type ApiAnswer } from '../../lib/http';
import type { ApiProblem } from '../../lib/problem';

export type WidgetConfig = Result<typeof readWidgetConfig>;
export type Answer<T> = { value: T; problem?: undefined } | { problem: ApiProblem; value?: undefined };

const answerOf = async <T>(sent: Promise<ApiAnswer<T>>): Promise<Answer<T>> => {
  const answer = await sent;
  return answer.problem ? { problem: answer.problem } : { value: answer.data };
};

/** The frame's API calls for one organization. */
export function callsOf(organization: string) {
  const query = { organization };
  return {
    config: () => answerOf(send(call(readWidgetConfig, { query }))),
    fields: () => answerOf(send(call(listWidgetFields, { query }))),
    wording: (language: Language) => answerOf(send(call(readWidgetWording, { params: { language }, query }))),
    read: (id: string, email: string) => answerOf(send(call(readWidgetTicket, { params: { id }, query: { ...query, email } }))),
    submit: (body: SubmitWidgetTicket, key: string, onWorking: () => void) =>
      answerOf(
        withChallenge((proof) => send(call(submitWidgetTicket, { query, body, headers: { 'idempotency-key': key, ...proof } })), onWorking),
      ),
    comment: (id: string, body: { email: string; content: string }, key: string) =>
      answerOf(send(call(addWidgetComment, { params: { id }, query, body, headers: { 'idempotency-key': key } }))),
    suggest: (subject: string, language: Language, signal: AbortSignal) =>
      answerOf(send(call(searchArticlesInWidget, { query: { ...query, q: subject, language, for: 'suggestions' } }), signal)),
    article: (number: number) => answerOf(send(call(readArticleInWidget, { params: { number }, query }))),
    /** Counts a use for the team's figures. A failure is ignored, because the visitor loses nothing. */
    recordUse: (use: HelpUse): void => void send(call(recordHelpUseInWidget, { query, body: use, keepalive: true })),
  };
}
export type Calls = ReturnType<typeof callsOf>;
