import type { SandboxAnswer } from './http';

/** Which requests a fault meets: the next `times` (1 unless said) that have this method and path, after `skip` that it lets pass. */
export interface FaultAim {
  method?: string;
  /** A text must be in the path, a pattern must match it. Without it, every path. */
  path?: string | RegExp;
  times?: number;
  skip?: number;
}

export type FaultEffect =
  | { kind: 'answer'; answer: SandboxAnswer }
  /** Nothing is done and nothing is answered until the client gives up. */
  | { kind: 'hang' }
  /** Nothing is done; the connection breaks. */
  | { kind: 'disconnect' }
  /** Everything is done; the connection breaks before the answer. */
  | { kind: 'lose-answer' }
  /** Everything is done and answered, so many milliseconds late. */
  | { kind: 'delay'; ms: number }
  /** Nothing is done for so many milliseconds; then everything is, whether or not the client still waits. */
  | { kind: 'late'; ms: number };

interface Fault {
  aim: FaultAim;
  effect: FaultEffect;
  left: number;
  skip: number;
}

/** Misfortunes that a test puts in the way of the next requests. The oldest that fits is taken. */
export class Faults {
  private faults: Fault[] = [];

  /** The next requests get this answer instead of ours: a status, a body (`{ err, ECODE }` or, as a string, something that is no JSON), headers. */
  answer(answer: SandboxAnswer, aim: FaultAim = {}): void {
    this.add({ kind: 'answer', answer }, aim);
  }

  hang(aim: FaultAim = {}): void {
    this.add({ kind: 'hang' }, aim);
  }

  disconnect(aim: FaultAim = {}): void {
    this.add({ kind: 'disconnect' }, aim);
  }

  /** The request takes effect, and whoever sent it never hears of it. */
  loseAnswer(aim: FaultAim = {}): void {
    this.add({ kind: 'lose-answer' }, aim);
  }

  delay(ms: number, aim: FaultAim = {}): void {
    this.add({ kind: 'delay', ms }, aim);
  }

  late(ms: number, aim: FaultAim = {}): void {
    this.add({ kind: 'late', ms }, aim);
  }

  /** How many faults still wait for a request. */
  get waiting(): number {
    return this.faults.length;
  }

  clear(): void {
    this.faults = [];
  }

  /** The fault that meets this request, used up by it. */
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
