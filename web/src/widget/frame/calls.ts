import type { AddedPublicComment, OutputOf, PublicTicket, readWidgetConfig, SubmitWidgetTicket } from '@tandem/contracts';
import { withChallenge } from '../../lib/challenge';
import { send, type ApiAnswer } from '../../lib/http';
import type { ApiProblem } from '../../lib/problem';

export type WidgetConfig = OutputOf<typeof readWidgetConfig>;
export type Answer<T> = { value: T; problem?: undefined } | { problem: ApiProblem; value?: undefined };

const answerOf = async <T>(sent: Promise<ApiAnswer>): Promise<Answer<T>> => {
  const { data, problem } = await sent;
  return problem ? { problem } : { value: data as T };
};

/** The frame's API calls for one organization. */
export function callsOf(organization: string) {
  const below = (path: string) => `/widget/v1${path}`;
  const query = { organization };
  const ticket = (id: string) => `/tickets/${encodeURIComponent(id)}`;
  return {
    config: () => answerOf<WidgetConfig>(send({ path: below('/config'), query })),
    read: (id: string, email: string) => answerOf<PublicTicket>(send({ path: below(ticket(id)), query: { ...query, email } })),
    submit: (body: SubmitWidgetTicket, key: string, onWorking: () => void) =>
      answerOf<PublicTicket>(
        withChallenge(
          (headers) => send({ path: below('/tickets'), method: 'POST', query, body, headers: { 'idempotency-key': key, ...headers } }),
          onWorking,
        ),
      ),
    comment: (id: string, body: { email: string; content: string }, key: string) =>
      answerOf<AddedPublicComment>(
        send({ path: below(`${ticket(id)}/comments`), method: 'POST', query, body, headers: { 'idempotency-key': key } }),
      ),
  };
}
export type Calls = ReturnType<typeof callsOf>;
