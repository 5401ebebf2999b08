import { launcherStyle, createLauncher, panelStyle, type Launcher } from './launcher';
import type { Prefill } from './messages';
import { readOptions, type WidgetOptions } from './options';
import { createPanel, type Panel } from './panel';

type EventName = 'open' | 'close' | 'submit' | 'unread';
type Listener = (detail: unknown) => void;
type Announce = (name: EventName, detail?: unknown) => void;
type Call = [command: string, ...rest: unknown[]];
type Tandem = ((...call: Call) => void) & { q?: ArrayLike<unknown>[] };

declare global {
  interface Window {
    Tandem?: Tandem;
    __tandemWidget?: boolean;
  }
}

/** How often the launcher is put back after the page removed it. Beyond that the removal is respected as intended. */
const reattachments = 50;

/** The only element added to the page. Adopted stylesheets work where a policy forbids `<style>` and `style=""`. */
function makeHost(options: WidgetOptions): [host: HTMLElement, root: ShadowRoot] {
  const host = document.createElement('div');
  host.id = 'tandem-widget';
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(launcherStyle(options) + panelStyle(options));
  root.adoptedStyleSheets = [sheet];
  return [host, root];
}

/** Opens and closes the panel; closing returns the focus to where it was. */
function makeSwitch(host: HTMLElement, { button, badge }: Launcher, panel: Panel, announce: Announce) {
  let opener: HTMLElement = button;
  return (open: boolean) => {
    if (open === panel.isOpen()) return;
    button.setAttribute('aria-expanded', String(open));
    if (open) {
      const active = document.activeElement;
      opener = active instanceof HTMLElement && active !== host && active !== document.body ? active : button;
      badge(0);
      panel.show();
    } else {
      panel.hide();
      (opener.isConnected ? opener : button).focus();
    }
    announce(open ? 'open' : 'close');
  };
}

/** The part of the widget that lives in the site's page: launcher, panel, and the commands of `window.Tandem`. */
function mount(options: WidgetOptions, origin: string): (...call: Call) => void {
  const [host, root] = makeHost(options);
  const launcher = createLauncher(options.triggerText);
  const listeners: [string, Listener][] = [];
  const announce: Announce = (name, detail) => listeners.forEach(([event, listen]) => event === name && listen(detail));
  const panel = createPanel(options, origin, (message) => {
    if (message.type === 'close') setOpen(false);
    else if (message.type === 'submitted') announce('submit', { ticket_number: String(message.ticket_number) });
    else if (message.type === 'unread' && !panel.isOpen()) {
      const count = Math.max(0, Number(message.count) || 0);
      launcher.badge(count, `${message.label}`);
      announce('unread', { count });
    }
  });
  const setOpen = makeSwitch(host, launcher, panel, announce);
  const toggle = () => setOpen(!panel.isOpen());
  launcher.button.onclick = toggle;
  root.addEventListener('keydown', (event) => (event as KeyboardEvent).key === 'Escape' && setOpen(false));
  root.append(panel.element, launcher.button);
  stay(host);
  const commands: Record<string, (...rest: never[]) => void> = {
    open: () => setOpen(true),
    close: () => setOpen(false),
    toggle,
    identify: (known?: { token?: string | null }) => panel.identify(known?.token ?? null),
    prefill: (values: Prefill) => panel.send({ type: 'prefill', values: { ...values } }),
    on: (event: string, listen: Listener) => listeners.push([event, listen]),
  };
  return (command, ...rest) => commands[command]?.(...(rest as never[]));
}

/** Appended to the root element, not the body: pages that replace their body keep it. Puts it back if the page removes it. */
function stay(host: HTMLElement): void {
  const page = document.documentElement;
  let left = reattachments;
  page.append(host);
  new MutationObserver(() => {
    if (!host.isConnected && left-- > 0) page.append(host);
  }).observe(page, { childList: true });
}

/** Starts when the page is idle, or with the first command. */
export function start(script: HTMLScriptElement | null): void {
  if (window.__tandemWidget) return;
  const options = script ? readOptions(script.dataset) : undefined;
  if (!script || !options) {
    // oxlint-disable-next-line no-console -- the person who placed the tag looks in the console first
    console.warn('Tandem widget: the script tag needs data-organization="your-subdomain".');
    return;
  }
  window.__tandemWidget = true;
  const { origin } = new URL(script.src, location.href);
  const early = window.Tandem?.q ?? [];
  let run: ((...call: Call) => void) | undefined;
  const begin = () => (run ??= mount(options, origin));
  window.Tandem = (...call) => begin()(...call);
  const go = () => {
    begin();
    for (const call of Array.from(early)) run?.(...(Array.from(call) as Call));
  };
  if ('requestIdleCallback' in window) requestIdleCallback(go, { timeout: 3_000 });
  else setTimeout(go, 200);
}
