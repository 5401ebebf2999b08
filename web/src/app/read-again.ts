/** For `initiate`: a request that keeps no subscription, even if the data is cached. */
export const again = { subscribe: false, forceRefetch: true } as const;

/**
 * Reads data that a change has just made outdated: `readAgain(() => dispatch(readTicket.initiate(id, again)))`. While a request for the same
 * data runs, RTK Query skips a second one, even with `forceRefetch`, and returns the response of the first, which may be from before the
 * change. In this case, the data is requested once more. https://redux-toolkit.js.org/rtk-query/api/created-api/endpoints#initiate
 */
export async function readAgain<Result extends { requestId?: string }>(
  send: () => PromiseLike<Result> & { requestId: string },
): Promise<Result> {
  const sent = send();
  const result = await sent;
  return result.requestId === sent.requestId ? result : send();
}
