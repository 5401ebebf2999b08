import { createSlice } from '@reduxjs/toolkit';
import { dropUnsentWork } from '../lib/session-cleanup';
import { api } from './api';
import { createStore, rootReducer } from './store';

const counter = createSlice({ name: 'testCounter', initialState: 0, reducers: { counted: (count) => count + 1 } });
const injected = counter.injectInto(rootReducer);
const selectSlice = (state: object) => injected.selectSlice({ ...state });
const session = { profile: { user_id: 'u' } } as never;

it('resets every slice, also one that was added later, and the cache when the session ends', async () => {
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
