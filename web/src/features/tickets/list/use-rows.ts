import { useEffect, useState } from 'react';
import { PlainRows } from './PlainRows';

/** Lists longer than this render only the visible rows, with code that short lists do not need. */
const longFrom = 60;

type Rows = typeof PlainRows;
let loaded: Rows | undefined;

/** The component that renders a list of this length. */
export function useRows(length: number): { Rows: Rows; isLong: boolean } {
  const [LongRows, setLongRows] = useState<Rows | undefined>(() => loaded);
  const isLong = length > longFrom;
  useEffect(() => {
    if (!isLong || loaded) return;
    void import('./TicketRows').then(({ TicketRows }) => {
      loaded = TicketRows;
      setLongRows(() => TicketRows);
    });
  }, [isLong]);
  const ready = LongRows ?? loaded;
  return isLong && ready ? { Rows: ready, isLong: true } : { Rows: PlainRows, isLong: false };
}
