import { waitFor } from '@testing-library/react';
import { http } from 'msw';
import { backend } from '../testing/backend';
import { answer, api as address, server } from '../testing/server';
import { api } from './api';
import { again, readAgain } from './read-again';
import { createStore } from './store';

/** Answers with the members at the time of each request, the first of them only after `release`. */
function serveMembers() {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  let requests = 0;
  server.use(
    http.get(address('/team/members'), async () => {
      const { members } = backend;
      requests += 1;
      if (requests === 1) await promise;
      return answer(members);
    }),
  );
  return { release, requests: () => requests };
}

it('returns data from after a change, with one more request only if one from before the change still runs', async () => {
  backend.signIn();
  const { release, requests } = serveMembers();
  const { dispatch } = createStore();
  const read = () => dispatch(api.endpoints.listMembers.initiate(undefined, again));
  const names = async () => (await readAgain(read)).data?.map(({ first_name }) => first_name);
  const rename = (first_name: string) => (backend.members = [{ ...backend.members[0]!, first_name }]);

  rename('Before');
  const running = read();
  await waitFor(() => expect(requests()).toBe(1));
  rename('After');
  const result = names();
  release();
  await expect(result).resolves.toEqual(['After']);
  await running;
  expect(requests()).toBe(2);

  rename('Later');
  await expect(names()).resolves.toEqual(['Later']);
  expect(requests()).toBe(3);
});
