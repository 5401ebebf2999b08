import { isProblem, messageOf } from './problem';

/** A file that did not get through; the message is for the person. */
export class UploadFailed extends Error {
  constructor(
    message: string,
    /** Whether the same file may get through another time. */
    readonly canRetry: boolean,
  ) {
    super(message);
  }
}

function problemIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A problem as a failure: what the server refused for what it is (422, 413) is refused again. */
export function failureOf(problem: unknown): UploadFailed {
  const status = isProblem(problem) ? problem.status : 0;
  const fields = isProblem(problem) ? problem.errors : undefined;
  return new UploadFailed(fields?.[0]?.message ?? messageOf(problem, 'The file could not be uploaded'), status !== 422 && status !== 413);
}

/** The bytes to their signed address. XMLHttpRequest and not fetch: it alone tells how much has gone out. */
export function sendFile(url: string, file: File, onProgress: (sent: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(1, loaded / file.size));
    request.onload = () => (request.status < 300 ? resolve() : reject(failureOf(problemIn(request.responseText))));
    request.onerror = () => reject(new UploadFailed('The connection broke. Check it and try again.', true));
    request.onabort = () => reject(new DOMException('Aborted', 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) return reject(new DOMException('Aborted', 'AbortError'));
    request.send(file);
  });
}
