/** Returns the handler of an item that opens an address. */
export type Go = (to: string) => () => void;
/** Returns the handler of an item that runs an action once the palette has closed. */
export type Run = (action: () => void) => () => void;
