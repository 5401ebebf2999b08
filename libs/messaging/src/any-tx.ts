import type { Tx } from '@tandem/db';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the transaction's schema depends on the service
export type AnyTx = Tx<any>;
