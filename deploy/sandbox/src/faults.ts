import type { SandboxAnswer } from './http';

/** The requests that get a fault: the next `times` (default 1) with this method and path, after the first `skip` matches. */
export interface FaultAim {
  method?: string;
  /** A string must be part of the path, a pattern must match it. Default: every path. */
  path?: string | RegExp;
  times?: number;
  skip?: number;
}

export type FaultEffect =
  | { kind: 'answer'; answer: SandboxAnswer }
  /** The request is neither processed nor answered, until the client gives up. */
  | { kind: 'hang' }
  /** The request is not processed; the connection is closed. */
  | { kind: 'disconnect' }
  /** The request is processed; the connection is closed before the response. */
  | { kind: 'lose-answer' }
  /** The request is processed immediately and answered this many milliseconds later. */
  | { kind: 'delay'; ms: number }
  /** The request is processed this many milliseconds later, whether or not the client still waits. */
  | { kind: 'late'; ms: number };

interface Fault {
  aim: FaultAim;
  effect: FaultEffect;
  left: number;
  skip: number;
}

/** Faults that a test injects into the next requests. The oldest one that matches is used. */
export class Faults {
  private faults: Fault[] = [];

  /** The next requests get this response: a status, a body (`{ err, ECODE }` or, as a string, something that is not JSON), headers. */
  answer(answer: SandboxAnswer, aim: FaultAim = {}): void {
    this.add({ kind: 'answer', answer }, aim);
  }

  hang(aim: FaultAim = {}): void {
    this.add({ kind: 'hang' }, aim);
  }

  disconnect(aim: FaultAim = {}): void {
    this.add({ kind: 'disconnect' }, aim);
  }

  /** The request takes effect, but its client gets no response. */
  loseAnswer(aim: FaultAim = {}): void {
    this.add({ kind: 'lose-answer' }, aim);
  }

  delay(ms: number, aim: FaultAim = {}): void {
    this.add({ kind: 'delay', ms }, aim);
  }

  late(ms: number, aim: FaultAim = {}): void {
    this.add({ kind: 'late', ms }, aim);
  }

  /** The number of unused faults. */
  get waiting(): number {
    return this.faults.length;
  }

  clear(): void {
    this.faults = [];
  }

  /** Removes and returns the fault for this request. */
  take(method: string, path: string): FaultEffect | undefined {
    const fault = this.faults.find(({ aim }) => fits(aim, method, path));
    if (!fault) return undefined;
    if (fault.skip > 0) {
      fault.skip -= 1;
      return undefined;
    }
    fault.left -= 1;
    if (fault.left <= 0) this.faults = this.faults.filter((each) => each !== fault);
    return fault.effect;
  }

  private add(effect: FaultEffect, aim: FaultAim): void {
    this.faults.push({ aim, effect, left: aim.times ?? 1, skip: aim.skip ?? 0 });
  }
}

function fits({ method, path }: FaultAim, asked: string, at: string): boolean {
  if (method && method.toUpperCase() !== asked) return false;
  if (path === undefined) return true;
  return typeof path === 'string' ? at.includes(path) : path.test(at);
}
