import { start } from './start';

const current = document.currentScript as HTMLScriptElement | null;
// A module has no `currentScript`.
start(
  current?.dataset.organization === undefined
    ? (document.querySelector<HTMLScriptElement>('script[data-organization]') ?? current)
    : current,
);
