// A worker thread that answers, or misbehaves as requested.
const { parentPort, threadId } = require('node:worker_threads');

const behaviors = {
  answer: () => parentPort.postMessage(threadId),
  wait: () => setTimeout(() => parentPort.postMessage(threadId), 1_500),
  loop: () => {
    for (;;);
  },
  allocate: () => {
    for (const kept = []; ;) kept.push(Array.from({ length: 10_000 }, Math.random));
  },
  exit: () => process.exit(1),
  throw: () => {
    throw new Error('a bug');
  },
};
parentPort.on('message', (behavior) => behaviors[behavior]());
parentPort.postMessage('ready');
