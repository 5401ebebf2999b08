import { createSlice } from '@reduxjs/toolkit';
import { resend } from '../lib/resend';
import { dropUnsentWork } from '../lib/session-cleanup';
import { aSession, backend } from '../testing/backend';
import { api } from './api';
import { postToTabs } from './session-channel';
import { createStore, getAppStore, rootReducer } from './store';

const counter = createSlice({ name: 'testCounter', initialState: 0, reducers: { counted: (count) => count + 1 } });
const injected = counter.injectInto(rootReducer);
const selectSlice = (state: object) => injected.selectSlice({ ...state });
const session = { profile: { user_id: 'u' } } as never;

it('resets every slice, including one that was added later, and the cache when the session ends', async () => {
  const store = createStore();
  store.dispatch(counter.actions.counted());
  await store.dispatch(api.util.upsertQueryData('readSession', undefined, session));
  expect(selectSlice(store.getState())).toBe(1);
  dropUnsentWork();
  expect(selectSlice(store.getState())).toBe(0);
  expect(api.endpoints.readSession.select()(store.getState()).data).toBeUndefined();
});

it('keeps its slices while the session lasts', () => {
  const store = createStore();
  store.dispatch(counter.actions.counted());
  store.dispatch(api.util.invalidateTags(['Session']));
  expect(selectSlice(store.getState())).toBe(1);
});

describe('a message that waits for the connection', () => {
  const problem = { success: false, type: 'about:blank', title: '', status: 0, code: 'network.failed', request_id: '' } as const;
  const waiting = () => resend({ method: 'POST', path: '/tickets' }, undefined, () => Promise.resolve({ problem }));
  const ofAnotherUser = () => aSession(null, { user_id: 'another-user' });
  beforeEach(() => backend.signIn());
  afterEach(() => dropUnsentWork());

  it('is withdrawn when the session turns out to be of another user', async () => {
    const store = createStore();
    await store.dispatch(api.endpoints.readSession.initiate());
    const answer = waiting();
    backend.session = ofAnotherUser();
    await store.dispatch(api.endpoints.readSession.initiate(undefined, { forceRefetch: true }));
    expect((await answer).problem?.code).toBe('request.withdrawn');
  });

  it('is withdrawn when another user signs in in another tab, even on a public page', async () => {
    const store = getAppStore();
    await store.dispatch(api.endpoints.readSession.initiate());
    const answer = waiting();
    postToTabs({ type: 'session', session: ofAnotherUser() });
    expect((await answer).problem?.code).toBe('request.withdrawn');
  });

  it('keeps waiting when the same session is loaded again', async () => {
    const store = createStore();
    await store.dispatch(api.endpoints.readSession.initiate());
    let isAnswered = false;
    void waiting().finally(() => (isAnswered = true));
    await store.dispatch(api.endpoints.readSession.initiate(undefined, { forceRefetch: true }));
    expect(isAnswered).toBe(false);
  });
});
