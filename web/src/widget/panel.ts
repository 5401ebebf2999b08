import { cross, icon } from './launcher';
import { heard, tell, type FromFrame, type ToFrame } from './messages';
import { frameAddress, type WidgetOptions } from './options';

/** The frame says that it is there; when it does not, the site may not show it, or the connection is gone. */
const patienceMs = 10_000;

export interface Panel {
  element: HTMLElement;
  /** Loads the frame the first time. */
  show: () => void;
  hide: () => void;
  /** Kept until the frame is there to hear it. */
  say: (message: ToFrame) => void;
}

/** The frame of our own origin, in which everything happens: the site sees nothing of it, and it nothing of the site. */
export function makePanel(options: WidgetOptions, origin: string, onMessage: (message: FromFrame) => void): Panel {
  const element = document.createElement('div');
  element.className = 'panel';
  element.id = 'panel';
  element.hidden = true;
  element.setAttribute('role', 'dialog');
  element.setAttribute('aria-label', options.triggerText);

  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'close';
  close.setAttribute('aria-label', 'Close');
  close.append(icon(cross));
  close.onclick = () => onMessage({ type: 'close' });
  element.append(close);

  let frame: HTMLIFrameElement | undefined;
  let ready = false;
  const waiting: ToFrame[] = [];

  const load = () => {
    frame = document.createElement('iframe');
    frame.title = options.triggerText;
    frame.setAttribute('sandbox', 'allow-scripts allow-forms allow-same-origin allow-popups');
    frame.allow = '';
    frame.src = frameAddress(origin, options, location.origin);
    element.prepend(frame);
    setTimeout(() => ready || element.append(sorry(origin, options)), patienceMs);
  };
  const say = (message: ToFrame) => {
    if (ready) tell(frame?.contentWindow, message, origin);
    else waiting.push(message);
  };
  addEventListener('message', (event) => {
    const message = heard<FromFrame>(event, frame?.contentWindow, origin);
    if (!message) return;
    if (message.type === 'ready') {
      // From here on its own close button is there. A frame that was loaded anew, because the page moved it, says so once more.
      ready = true;
      close.hidden = true;
      element.querySelector('.sorry')?.remove();
      for (const each of waiting.splice(0)) say(each);
    }
    onMessage(message);
  });
  return {
    element,
    say,
    show: () => {
      if (!frame) load();
      element.hidden = false;
      // A frame takes the focus at once; one that is still loading passes it on when it hears that it is open.
      frame?.focus();
      say({ type: 'opened' });
    },
    hide: () => {
      element.hidden = true;
      say({ type: 'closed' });
    },
  };
}

/** The way that is left: the organization's own page. */
function sorry(origin: string, { organization }: WidgetOptions): HTMLElement {
  const link = document.createElement('a');
  link.href = origin.replace('://', `://${organization}.`) + '/submit-ticket';
  link.target = '_blank';
  link.rel = 'noopener';
  link.textContent = 'Write to us on our own page';
  const note = document.createElement('p');
  note.className = 'sorry';
  note.setAttribute('role', 'status');
  note.append('This could not be loaded here. ', link);
  return note;
}
