import type { SubmitWidgetTicket } from '@tandem/contracts';
import {
  addWidgetComment,
  listWidgetFields,
  readWidgetConfig,
  readWidgetTicket,
  readWidgetWording,
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
  };
}
export type Calls = ReturnType<typeof callsOf>;
