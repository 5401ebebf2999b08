import { search, type Challenge } from './proof-of-work';

/** Small enough that typing and scrolling go on in between. */
const slice = 2_000;

async function inSlices(challenge: Challenge): Promise<number | undefined> {
  for (let from = 0; from <= challenge.maxnumber; from += slice) {
    const number = search(challenge, from, Math.min(from + slice - 1, challenge.maxnumber));
    if (number !== undefined) return number;
    await new Promise((resolve) => setTimeout(resolve));
  }
  return undefined;
}

function inWorker(challenge: Challenge): Promise<number | undefined> {
  // A file of its own: the server's Content-Security-Policy lets nothing else run.
  const worker = new Worker(new URL('./solve-challenge.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<number | undefined>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<number | undefined>) => resolve(data);
    worker.onerror = reject;
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

const base64 = (value: object) => btoa(JSON.stringify(value));

/** The answer to a challenge as the gateway takes it; undefined where there is none. Beside the page's own thread, where browsers let us. */
export async function proofFor(challenge: Challenge): Promise<string | undefined> {
  const number = await (typeof Worker === 'function' ? inWorker(challenge).catch(() => inSlices(challenge)) : inSlices(challenge));
  if (number === undefined) return undefined;
  const { algorithm, salt, signature } = challenge;
  return base64({ algorithm, challenge: challenge.challenge, number, salt, signature });
}
