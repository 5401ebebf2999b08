import { act, renderHook } from '@testing-library/react';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createExternalStore } from './external-store';
import { dropUnsentWork } from './session-cleanup';

it('renders again only when the selected part changes', () => {
  const store = createExternalStore(() => ({ shown: 1, hidden: 1 }));
  let renders = 0;
  const { result } = renderHook(() => {
    renders += 1;
    return store.use(({ shown }) => shown);
  });
  act(() => store.set({ shown: 1, hidden: 2 }));
  expect(renders).toBe(1);
  act(() => store.set({ shown: 2, hidden: 2 }));
  expect(result.current).toBe(2);
});

it('is connected while it has subscribers', () => {
  const disconnect = jest.fn();
  const connect = jest.fn(() => disconnect);
  const store = createExternalStore(() => 0, connect);
  const views = [renderHook(() => store.use()), renderHook(() => store.use())];
  expect(connect).toHaveBeenCalledTimes(1);
  views[0]!.unmount();
  expect(disconnect).not.toHaveBeenCalled();
  views[1]!.unmount();
  expect(disconnect).toHaveBeenCalledTimes(1);
});

it('is reset when the session ends, without any registration by its module', () => {
  const store = createExternalStore<string[]>(() => []);
  const { result } = renderHook(() => store.use());
  act(() => store.set(['of the previous user']));
  act(dropUnsentWork);
  expect(store.get()).toEqual([]);
  expect(result.current).toEqual([]);
});

it('is the only store outside Redux: other modules subscribe only to the browser', () => {
  const source = join(__dirname, '..');
  const subscribing = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) => readFileSync(join(source, file), 'utf8').includes('useSyncExternalStore('))
    .map((file) => relative('.', file))
    .sort();
  expect(subscribing).toEqual(['lib/external-store.ts', 'lib/media.ts', 'lib/tab-visible.ts']);
});
