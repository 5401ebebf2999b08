import type { Tx } from '@tandem/db';

/** A transaction of any service. Each consumer declares the type of its own service's transactions, to which no common type is assignable. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the transaction's schema depends on the service
export type AnyTx = Tx<any>;
