import { isProblem, localized, messageOf } from './problem';
import { uiText } from './ui-texts';

/** A failed upload; the message is shown to the user. */
export class UploadFailed extends Error {
  constructor(
    message: string,
    /** Whether uploading the same file again may succeed. */
    readonly canRetry: boolean,
  ) {
    super(message);
  }
}

function problemIn(text: string): unknown {
  try {
    const answer: unknown = JSON.parse(text);
    return isProblem(answer) ? localized(answer) : answer;
  } catch {
    return undefined;
  }
}

/** Converts a problem: a file that the server refused because of its content or size (422, 413) would be refused again. */
export function failureOf(problem: unknown): UploadFailed {
  const status = isProblem(problem) ? problem.status : 0;
  const fields = isProblem(problem) ? problem.errors : undefined;
  return new UploadFailed(fields?.[0]?.message ?? messageOf(problem, uiText('upload_failed')), status !== 422 && status !== 413);
}

/** Uploads the bytes to the signed address. Uses XMLHttpRequest, because fetch does not report upload progress. */
export function sendFile(url: string, file: File, onProgress: (sent: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(1, loaded / file.size));
    request.onload = () => (request.status < 300 ? resolve() : reject(failureOf(problemIn(request.responseText))));
    request.onerror = () => reject(new UploadFailed(uiText('upload_lost'), true));
    request.onabort = () => reject(new DOMException('Aborted', 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) return reject(new DOMException('Aborted', 'AbortError'));
    request.send(file);
  });
}
