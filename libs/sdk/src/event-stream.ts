/** One message of a stream of server-sent events. */
export interface ServerSentEvent {
  /** The last id that the stream sent, with this message or before. */
  id: string | undefined;
  /** Empty if the message has only an id. */
  data: string;
}

/** Reads server-sent events (WHATWG HTML, 9.2.6); yields also messages that have only an id, and an `undefined` for each comment. */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent | undefined, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let id: string | undefined;
  let data: string[] = [];
  let hasId = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A CR at the end can be the first half of CRLF.
      const complete = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
      const lines = complete.split(/\r\n|\n|\r/);
      rest = lines.pop()! + rest.slice(complete.length);
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0 || hasId) yield { id, data: data.join('\n') };
          data = [];
          hasId = false;
          continue;
        }
        const [, field, text] = /^([^:]*)(?::\x20?(.*))?$/s.exec(line)!;
        if (field === '') yield undefined;
        else if (field === 'data') data.push(text ?? '');
        else if (field === 'id' && !text?.includes('\0')) {
          id = text ?? '';
          hasId = true;
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => {}); // already closed
  }
}
