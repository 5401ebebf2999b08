import type { Tx } from '@tandem/db';

/** A transaction of any service. Each consumer declares the type of its own service's transactions, to which no common type is assignable. */
// oxlint-disable-next-line typescript/no-explicit-any -- the transaction's schema depends on the service
export type AnyTx = Tx<any>;
