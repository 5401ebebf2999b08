import { Worker } from 'node:worker_threads';

export interface ThreadLimits {
  maxThreads: number;
  /** JavaScript heap of one thread. Transferred bytes are outside it. */
  heapMb: number;
  /** CPU time of one request. Elapsed time does not count: on a busy machine, a thread of low priority mostly waits. */
  requestMs: number;
  /** An idle thread ends after this time, so that its memory is free again. */
  idleMs: number;
}

/** A request exceeded the time or memory limit of its thread, which has been terminated. */
export class ThreadLimitExceeded extends Error {
  constructor(readonly limit: 'time' | 'memory') {
    super(`thread terminated: ${limit} limit exceeded`);
  }
}

/** Longer than a thread takes to load its modules on a busy machine. */
const startMs = 60_000;
/** The CPU time of a running request is checked this often. */
const checkMs = 1_000;
/** A request takes at most this many times `requestMs`. This ends threads that wait forever, or never report their CPU time. */
const maxStretch = 10;

/**
 * Runs requests in worker threads, each of which handles one request at a time. Threads start on demand; one that exceeds a limit or fails
 * is terminated, and the next request starts another. A thread announces with its first message that it is ready.
 */
export class ThreadPool<Request, Response> {
  readonly #idle: { thread: Worker; expiry: NodeJS.Timeout }[] = [];
  readonly #threads = new Set<Worker>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #isClosed = false;

  constructor(
    private readonly file: string,
    private readonly limits: ThreadLimits,
  ) {}

  /**
   * Resolves with the answer of a thread. The buffers in `transfer` are moved to it and are empty here afterwards. With `endsThread`, the thread
   * ends after this request, and all of its memory is free again.
   */
  async run(request: Request, transfer: ArrayBuffer[] = [], { endsThread = false } = {}): Promise<Response> {
    if (this.#running >= this.limits.maxThreads) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      const thread = this.#takeIdle() ?? (await this.#start());
      const { requestMs } = this.limits;
      const send = () => thread.postMessage(request, transfer);
      const response = await this.#message(thread, { ms: requestMs * maxStretch, cpuMs: requestMs }, send);
      if (endsThread) void this.#end(thread);
      else this.#keepIdle(thread);
      return response as Response;
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  /** Terminates all threads; running requests fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { expiry } of this.#idle.splice(0)) clearTimeout(expiry);
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #takeIdle(): Worker | undefined {
    const idle = this.#idle.pop();
    clearTimeout(idle?.expiry);
    idle?.thread.ref();
    return idle?.thread;
  }

  #keepIdle(thread: Worker): void {
    if (!this.#threads.has(thread)) return;
    thread.unref();
    const expiry = setTimeout(() => void thread.terminate(), this.limits.idleMs).unref();
    this.#idle.push({ thread, expiry });
  }

  async #start(): Promise<Worker> {
    if (this.#isClosed) throw new Error('thread pool closed');
    // No options and no environment of this process: tracing must not start twice, and a thread that reads hostile input needs no secrets.
    const resourceLimits = { maxOldGenerationSizeMb: this.limits.heapMb };
    const thread = new Worker(this.file, { execArgv: [], env: {}, resourceLimits });
    this.#threads.add(thread);
    thread.once('exit', () => {
      this.#threads.delete(thread);
      const at = this.#idle.findIndex((idle) => idle.thread === thread);
      if (at >= 0) clearTimeout(this.#idle.splice(at, 1)[0]!.expiry);
    });
    await this.#message(thread, { ms: startMs });
    return thread;
  }

  async #end(thread: Worker): Promise<void> {
    this.#threads.delete(thread);
    // An error that arrives while the thread ends must not end the process.
    thread.on('error', () => undefined);
    await thread.terminate();
  }

  /** The next message of a thread. Terminates the thread if there is none. */
  async #message(thread: Worker, limit: { ms: number; cpuMs?: number }, send = () => {}): Promise<unknown> {
    let deadline: NodeJS.Timeout | undefined;
    let checks: NodeJS.Timeout | undefined;
    let stop = () => {};
    try {
      return await new Promise((resolve, reject) => {
        const onError = (error: Error & { code?: string }) =>
          reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimitExceeded('memory') : error);
        const onExit = () => reject(new Error('thread exited without an answer'));
        thread.on('message', resolve).on('error', onError).on('exit', onExit);
        stop = () => thread.off('message', resolve).off('error', onError).off('exit', onExit);
        const onLimit = () => reject(new ThreadLimitExceeded('time'));
        deadline = setTimeout(onLimit, limit.ms);
        if (limit.cpuMs !== undefined) checks = watchCpu(thread, limit.cpuMs, onLimit);
        send();
      });
    } catch (error) {
      await this.#end(thread);
      throw error;
    } finally {
      clearTimeout(deadline);
      clearInterval(checks);
      stop();
    }
  }
}

/** Calls `onLimit` once the thread has used this much CPU time from now on. */
function watchCpu(thread: Worker, ms: number, onLimit: () => void): NodeJS.Timeout {
  const before = thread.cpuUsage().catch(() => undefined);
  const check = async () => {
    const { user, system } = await thread.cpuUsage(await before);
    if ((user + system) / 1_000 >= ms) onLimit();
  };
  // Rejects if the thread has ended, which its `exit` event reports.
  return setInterval(() => void check().catch(() => undefined), checkMs);
}
