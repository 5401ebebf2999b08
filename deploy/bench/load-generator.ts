/** Closed-loop load over keep-alive connections, for machines without wrk. Options and result are JSON: standard input, standard output. */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { quantile } from './statistics.ts';
import type { Call, LoadOptions } from './load.ts';

const { origin, calls, connections, seconds } = JSON.parse(await text(process.stdin)) as LoadOptions;
const { hostname, port } = new URL(origin);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const latencies: number[] = [];
let [next, errors] = [0, 0];

function send({ method, path, headers, body }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request({ hostname, port, agent, method, path, headers: { ...headers, ...length } }, (answer) => {
      answer.on('end', () => resolve(answer.statusCode!));
      answer.on('error', reject);
      answer.resume();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function connection(until: number): Promise<void> {
  while (performance.now() < until) {
    const begun = performance.now();
    const status = await send(calls[next++ % calls.length]!).catch(() => 599);
    latencies.push(performance.now() - begun);
    if (status >= 400) errors++;
  }
}

const begun = performance.now();
await Promise.all(Array.from({ length: connections }, () => connection(begun + seconds * 1000)));
const result = {
  requests: latencies.length,
  seconds: (performance.now() - begun) / 1000,
  p50Ms: quantile(latencies, 0.5),
  p99Ms: quantile(latencies, 0.99),
};
process.stdout.write(JSON.stringify({ result, errors }));
agent.destroy();
