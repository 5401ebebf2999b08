/** Customers of other organizations, who read their lists while something else loads the system. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchSystem } from './bench-system.ts';
import type { Organization } from './seed.ts';
import { ask, expect, tokenOf, type Caller } from './session.ts';

const perSecondEach = 5;

/** Reads the first page of the list with an API token of each organization, five times a second, whether or not the last one has ended. */
export class Victims {
  readonly #system: BenchSystem;
  readonly #callers: readonly Caller[];

  private constructor(system: BenchSystem, callers: readonly Caller[]) {
    this.#system = system;
    this.#callers = callers;
  }

  static async of(system: BenchSystem, organizations: readonly Organization[]): Promise<Victims> {
    const callers: Caller[] = [];
    for (const { people } of organizations) callers.push(await tokenOf(system, people[0]!));
    return new Victims(system, callers);
  }

  /** The milliseconds of each request, until `work` has ended. */
  async during<T>(work: () => Promise<T>): Promise<{ latencies: number[]; result: T }> {
    let hasEnded = false;
    const working = work().finally(() => void (hasEnded = true));
    const reads: Promise<number>[] = [];
    const begun = performance.now();
    const rate = perSecondEach * this.#callers.length;
    while (!hasEnded) {
      const due = begun + (reads.length * 1_000) / rate;
      await sleep(Math.max(0, due - performance.now()), undefined, { signal: this.#system.signal });
      // From the time at which it was due: otherwise a busy moment of this process would hide waiting (coordinated omission).
      reads.push(this.#read(this.#callers[reads.length % this.#callers.length]!, due));
    }
    const result = await working;
    return { latencies: await Promise.all(reads), result };
  }

  async #read({ headers }: Caller, due: number): Promise<number> {
    const answer = await ask(`${this.#system.gatewayOrigin}/api/v1/tickets?limit=25`, { headers });
    expect('status of a list', answer.status, 200);
    return performance.now() - due;
  }
}
