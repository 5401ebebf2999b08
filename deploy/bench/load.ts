/** Closed-loop load: wrk if it is installed, else load-generator.ts. Either is a separate process whose CPU is not counted. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onPath } from '../local/binaries.ts';
import { projectNode } from '../local/mailbox.ts';

const run = promisify(execFile);

export interface Call {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadOptions {
  /** `http://127.0.0.1:port` */
  origin: string;
  /** Sent in rotation. */
  calls: Call[];
  connections: number;
  seconds: number;
  /** For the script file that wrk reads. */
  directory: string;
  signal: AbortSignal;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}

export const generator = onPath('wrk') ? 'wrk' : 'load-generator.ts';

/** Throws if a response was an error or a connection failed, because the figure would then not be of the intended work. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { result, errors } = await loadWithErrors(options);
  if (errors > 0) throw new Error(`${errors} of ${result.requests} responses from ${options.origin}${options.calls[0]!.path} were errors`);
  return result;
}

export interface Outcome {
  result: LoadResult;
  /** How many of the requests failed or were refused. */
  errors: number;
}

export const loadWithErrors = (options: LoadOptions): Promise<Outcome> => (generator === 'wrk' ? byWrk(options) : byNode(options));

async function byWrk({ origin, calls, connections, seconds, directory, signal }: LoadOptions): Promise<Outcome> {
  const script = join(directory, 'load.lua');
  const formatted = calls.map(({ method, path, headers = {}, body }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[ ${lua(name)} ] = ${lua(value)}`);
    return `    wrk.format(${lua(method)}, ${lua(path)}, { ${fields.join(', ')} }${body === undefined ? '' : `, ${lua(body)}`}),`;
  });
  writeFileSync(
    script,
    `local calls, next_call = {}, 0
init = function()
  calls = {
${formatted.join('\n')}
  }
end
request = function()
  next_call = next_call % #calls + 1
  return calls[next_call]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT %d %d %d %d %d\\n', summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
`,
    { mode: 0o600 }, // it contains a session
  );
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, origin], { signal });
  const [requests, us, p50, p99, errors] = (/RESULT (.*)/.exec(stdout)?.[1] ?? '').split(' ').map(Number);
  if (errors === undefined) throw new Error(`unexpected output of wrk: ${stdout}`);
  return { result: { requests: requests!, seconds: us! / 1e6, p50Ms: p50! / 1000, p99Ms: p99! / 1000 }, errors };
}

async function byNode({ signal, directory: _, ...options }: LoadOptions): Promise<Outcome> {
  const file = join(import.meta.dirname, 'load-generator.ts');
  const running = run(projectNode(), [file], { signal, env: { ...process.env, NODE_OPTIONS: '' } });
  // Not as an argument: Linux limits one to 128 KB.
  running.child.stdin!.end(JSON.stringify(options));
  const { stdout } = await running;
  return JSON.parse(stdout) as Outcome;
}

const lua = (text: string) => `[===[${text}]===]`;
