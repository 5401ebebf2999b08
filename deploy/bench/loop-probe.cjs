/**
 * Loaded into the processes of a benchmark by NODE_OPTIONS. In the process whose bundle is in LOOP_PROBE_SERVICE, records how much CPU time
 * the main thread uses in each turn of its event loop, and while it answers each request. Unlike elapsed time, CPU time does not depend on
 * other processes of the machine. Writes lines to LOOP_PROBE_FILE: the kind, the time at the end and the CPU time in milliseconds.
 */
const { appendFileSync } = require('node:fs');
const { subscribe } = require('node:diagnostics_channel');
const { sep } = require('node:path');
const { isMainThread } = require('node:worker_threads');

const { LOOP_PROBE_SERVICE: service, LOOP_PROBE_FILE: file } = process.env;
/** Shorter turns are not recorded: the timer itself makes a turn every millisecond. */
const minTurnMs = 1;

if (isMainThread && service && file && (process.argv[1] ?? '').split(sep).includes(service)) {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const lines = [];
  const record = (kind, ms) => lines.push(`${kind} ${Date.now()} ${ms.toFixed(3)}\n`);
  let turn = cpuMs();
  setInterval(() => {
    const now = cpuMs();
    if (now - turn >= minTurnMs) record('turn', now - turn);
    turn = now;
  }, 1).unref();
  const begun = new WeakMap();
  subscribe('http.server.request.start', ({ request }) => begun.set(request, cpuMs()));
  subscribe('http.server.response.finish', ({ request }) => {
    if (request.url?.includes('/health/') === false) record('request', cpuMs() - begun.get(request));
  });
  setInterval(() => lines.length > 0 && appendFileSync(file, lines.splice(0).join('')), 500).unref();
}
