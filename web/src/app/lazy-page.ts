import { lazy, type ComponentType } from 'react';

/** A page in its own code chunk, loaded when it is first shown. */
export const page = <Name extends string, Props extends object>(load: () => Promise<Record<Name, ComponentType<Props>>>, name: Name) =>
  lazy(() => load().then((module) => ({ default: module[name] })));
