import type { Tx } from '@tandem/db';

/** A transaction of any service: consumers declare the schema of theirs, which no other type of transaction is assignable to. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the transaction's schema depends on the service
export type AnyTx = Tx<any>;
