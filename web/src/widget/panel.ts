import { cross, icon } from './launcher';
import { readMessage, postToWindow, type FromFrame, type ToFrame } from './messages';
import { frameAddress, type WidgetOptions } from './options';

/** How long to wait for the frame's 'ready'. Without it, the site may not embed the frame, or the connection is lost. */
const readyTimeoutMs = 10_000;

export interface Panel {
  element: HTMLElement;
  isOpen: () => boolean;
  /** Opens the panel; the first call loads the frame. */
  show: () => void;
  hide: () => void;
  /** Queued until the frame is ready. */
  send: (message: ToFrame) => void;
  /** Sets the visitor's identity; sent again if the frame reloads. */
  identify: (token: string | null) => void;
}

/** The panel with the frame. The frame has our own origin, so site and widget cannot access each other's content. */
export function createPanel(options: WidgetOptions, origin: string, onMessage: (message: FromFrame) => void): Panel {
  const [element, close] = createElement(options, () => onMessage({ type: 'close' }));
  let frame: HTMLIFrameElement | undefined;
  let ready = false;
  let token: string | null | undefined;
  const waiting: ToFrame[] = [];
  const send = (message: ToFrame) => {
    if (ready) postToWindow(frame?.contentWindow, message, origin);
    else waiting.push(message);
  };
  const isOpen = () => !element.hidden;
  /** The frame now shows its own close button. Also runs when the frame reloads, because the page moved it in the DOM. */
  const onReady = () => {
    ready = close.hidden = true;
    element.querySelector('.fallback')?.remove();
    if (token !== undefined) send({ type: 'identify', token });
    if (isOpen()) send({ type: 'opened' });
    waiting.splice(0).forEach(send);
  };
  addEventListener('message', (event) => {
    const message = readMessage<FromFrame>(event, frame?.contentWindow, origin);
    if (message?.type === 'ready') onReady();
    else if (message) onMessage(message);
  });
  return {
    element,
    isOpen,
    send,
    identify: (newToken) => {
      token = newToken;
      if (ready) send({ type: 'identify', token: newToken });
    },
    show: () => {
      if (!frame) {
        frame = createFrame(options, origin);
        element.prepend(frame);
        setTimeout(() => ready || element.append(fallback(origin, options)), readyTimeoutMs);
      }
      element.hidden = false;
      // A ready frame gets the focus now; one that is still loading focuses its heading when it receives 'opened'.
      frame.focus();
      if (ready) send({ type: 'opened' });
    },
    hide: () => {
      element.hidden = true;
      if (ready) send({ type: 'closed' });
    },
  };
}

/**
 * The frame has its own catalog. The loader, one small script for all languages, has texts in English only: on a site that sets the language,
 * it uses the site's own text for the launcher instead.
 */
function createElement({ triggerText: label, lang }: WidgetOptions, onClose: () => void): [panel: HTMLElement, close: HTMLElement] {
  const element = document.createElement('div');
  element.className = 'panel';
  element.hidden = true;
  element.setAttribute('role', 'dialog');
  element.setAttribute('aria-label', label);
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'close';
  close.setAttribute('aria-label', lang ? `${label} ×` : 'Close');
  close.append(icon(cross));
  close.onclick = onClose;
  element.append(close);
  return [element, close];
}

function createFrame(options: WidgetOptions, origin: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = options.triggerText;
  frame.setAttribute('sandbox', 'allow-scripts allow-forms allow-same-origin allow-popups');
  frame.src = frameAddress(origin, options, location.origin);
  return frame;
}

/** Fallback if the frame does not load: a link to the organization's own page. */
function fallback(origin: string, { organization, lang, triggerText }: WidgetOptions): HTMLElement {
  const link = document.createElement('a');
  link.href = origin.replace('://', `://${organization}.`) + '/submit-ticket';
  link.target = '_blank';
  link.textContent = lang ? triggerText : 'Write to us on our support page';
  const note = document.createElement('p');
  note.className = 'fallback';
  note.setAttribute('role', 'status');
  note.append(lang ? '' : 'Couldn’t load the form here. ', link);
  return note;
}
