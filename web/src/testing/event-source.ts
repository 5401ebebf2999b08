import type { LiveEventName } from '@tandem/contracts';

/** EventSource for jsdom, which has none. Tests send the server's events. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static readonly all: FakeEventSource[] = [];

  readyState = FakeEventSource.CONNECTING;

  constructor(readonly url: string) {
    super();
    FakeEventSource.all.push(this);
  }

  static get last(): FakeEventSource {
    const source = FakeEventSource.all.at(-1);
    if (!source) throw new Error('No page has opened an event stream');
    return source;
  }
  static closeAll(): void {
    FakeEventSource.all.length = 0;
  }

  open(): void {
    this.readyState = FakeEventSource.OPEN;
    this.dispatchEvent(new Event('open'));
  }
  /** Streams of customers send only `changed`. */
  send(event: { type: LiveEventName | 'changed'; subject: string; own?: boolean }): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ own: false, ...event, sequence: 1, id: 'e' }) }));
  }
  sendPresence(ticket_id: string, people: { user_id: string; state: 'viewing' | 'writing' | 'writing_note' }[]): void {
    this.dispatchEvent(new MessageEvent('presence', { data: JSON.stringify({ ticket_id, people }) }));
  }
  /** The user's permissions changed, and the server ends the stream. */
  endAccess(): void {
    this.dispatchEvent(new MessageEvent('access', { data: '{}' }));
  }
  /** A lost connection: the browser reconnects automatically. */
  break(): void {
    this.readyState = FakeEventSource.CONNECTING;
    this.dispatchEvent(new Event('error'));
  }
  /** A refusal: the browser does not reconnect. */
  refuse(): void {
    this.readyState = FakeEventSource.CLOSED;
    this.dispatchEvent(new Event('error'));
  }
  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }
}
