import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { parseMail, parseRecipients } from './parse';
import { UnreadableMail } from './parsed-mail';
import { ownBuffer, type ParserRequest, type ParserResponse } from './parser-messages';
import { checkSender } from './sender-check';

/** About a tenth of the processor time of a thread with the usual priority, while both are busy. */
const priorityStep = 10;

/**
 * Lets the threads that answer requests run first while processors are busy. On Linux, this is the priority of the calling thread only; on
 * other systems it would be that of the whole process.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + priorityStep, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox forbids it: requests are then delayed more.
  }
}

/** The blocks must not be referenced elsewhere: parsing needs their memory. */
const joined = (blocks: ArrayBuffer[]): Buffer =>
  blocks.length === 1 ? Buffer.from(blocks[0]!) : Buffer.concat(blocks.map((block) => Buffer.from(block)));

/** Runs in a worker thread and reads emails: a hostile or large one then delays no request, and can be stopped. */
async function answer(request: ParserRequest): Promise<ParserResponse> {
  const raw = joined(request.raw.splice(0));
  try {
    if (request.kind === 'recipients') return { kind: 'recipients', recipients: await parseRecipients(raw) };
    const mail = await parseMail(raw);
    const { checks, failure } = await checkSender(raw, request.envelope_from, request.client, request.options);
    return { kind: 'email', mail, checks, check_failure: failure };
  } catch (error) {
    return {
      kind: error instanceof UnreadableMail ? 'unreadable' : 'error',
      message: error instanceof Error ? error.message : String(error),
    };
  }
}

lowerPriority();
parentPort!.on('message', (request: ParserRequest) => {
  void answer(request).then((response) => {
    if (response.kind !== 'email') return parentPort!.postMessage(response);
    const files = response.mail.files.map((file) => ({ ...file, content: ownBuffer(file.content) }));
    const transfer = [...new Set(files.map(({ content }) => content))];
    parentPort!.postMessage({ ...response, mail: { ...response.mail, files } }, transfer);
  });
});
parentPort!.postMessage('ready');
