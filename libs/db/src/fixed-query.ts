import type { CompiledQuery } from 'kysely';
import type { Tx } from './database';

/** Represents an argument while the query is compiled. */
class Placeholder {
  constructor(readonly index: number) {}
}

/**
 * Compiles a query with a fixed text at its first use only, because building and compiling a query with many columns takes longer than all
 * other work on a row. `build` may use its arguments only as values of the query: it is called once, with placeholders.
 */
export function fixedQuery<S, Args extends unknown[], R>(
  build: (tx: Tx<S>, ...args: Args) => { compile(executor: Tx<S>): CompiledQuery<R> },
): (tx: Tx<S>, ...args: Args) => CompiledQuery<R> {
  let compiled: CompiledQuery<R> | undefined;
  return (tx, ...args) => {
    compiled ??= build(tx, ...(args.map((_, index) => new Placeholder(index)) as unknown as Args)).compile(tx);
    const parameters = compiled.parameters.map((value) => (value instanceof Placeholder ? args[value.index] : value));
    return { ...compiled, parameters };
  };
}
