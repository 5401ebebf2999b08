import { setImmediate } from 'node:timers/promises';

const sliceMs = 15;

/**
 * Divides a long computation into parts, between which the process handles other requests: figures of 200,000 tickets take about a second.
 * Call `next` wherever it `isOver`.
 */
export class TimeSlice {
  #end = performance.now() + sliceMs;

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + sliceMs;
  }
}
