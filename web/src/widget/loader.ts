import { start } from './start';

const current = document.currentScript as HTMLScriptElement | null;
// `currentScript` is null if the loader runs as a module.
start(
  current?.dataset.organization === undefined
    ? (document.querySelector<HTMLScriptElement>('script[data-organization]') ?? current)
    : current,
);
