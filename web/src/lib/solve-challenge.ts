import { search, type Challenge } from './proof-of-work';

/** Numbers tried per slice: small enough that typing and scrolling stay responsive between slices. */
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
  // A separate worker file: the server's Content-Security-Policy allows no inline or blob workers.
  const worker = new Worker(new URL('./solve-challenge.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<number | undefined>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<number | undefined>) => resolve(data);
    worker.onerror = reject;
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

const base64 = (value: object) => btoa(JSON.stringify(value));

/** The solution in the gateway's format; undefined if there is none. Runs in a worker thread where the browser allows it. */
export async function proofFor(challenge: Challenge): Promise<string | undefined> {
  const number = await (typeof Worker === 'function' ? inWorker(challenge).catch(() => inSlices(challenge)) : inSlices(challenge));
  if (number === undefined) return undefined;
  const { algorithm, salt, signature } = challenge;
  return base64({ algorithm, challenge: challenge.challenge, number, salt, signature });
}
