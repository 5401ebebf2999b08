import { brandingDefaults, lightButtonColors, type WidgetPosition } from '@tandem/contracts/values';
import type { WidgetOptions } from './options';

const sides = (position: WidgetPosition) => position.split('-') as ['top' | 'bottom', 'left' | 'right'];

/** The launcher can be on any page, so its colors always follow the rules of the light scheme. */
const areaOf = (color: string) => lightButtonColors(color) ?? { area: '#000', ink: '#fff' };

/** Styles of the launcher. `place` is `fixed` on a site and `absolute` in the preview of the settings. */
export function launcherStyle(
  { position, primary, secondary }: Pick<WidgetOptions, 'position' | 'primary' | 'secondary'>,
  place = 'fixed',
): string {
  const [edge, side] = sides(position);
  const back = areaOf(primary ?? brandingDefaults.primary_color);
  const mark = areaOf(secondary ?? brandingDefaults.secondary_color);
  return (
    `.launcher{all:initial;position:${place};${edge}:20px;${side}:20px;box-sizing:border-box;display:inline-flex;align-items:center;gap:8px;` +
    `height:48px;max-width:calc(100% - 40px);padding:0 18px;border:1px solid #0002;border-radius:24px;background:${back.area};color:${back.ink};` +
    'font:600 15px/1.2 system-ui,sans-serif;cursor:pointer;box-shadow:0 4px 16px #0003;-webkit-tap-highlight-color:transparent}' +
    '.launcher:hover{filter:brightness(1.06)}.launcher:focus-visible{outline:3px solid #fff;box-shadow:0 0 0 5px #111}' +
    '.launcher svg{flex:none}.text{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}' +
    `.badge{position:absolute;top:-6px;${side}:-4px;min-width:22px;box-sizing:border-box;padding:4px 6px;border-radius:11px;text-align:center;` +
    `background:${mark.area};color:${mark.ink};font-size:12px;line-height:14px;border:1px solid #fff}[hidden]{display:none!important}`
  );
}

/** Styles of the panel around the frame: full screen on small screens. */
export function panelStyle({ position, theme }: Pick<WidgetOptions, 'position' | 'theme'>): string {
  const [edge, side] = sides(position);
  const dark = '.panel{background:#16191b;color:#e6e9ea;color-scheme:dark}';
  return (
    ':host{all:initial;position:fixed;z-index:2147483000}' +
    `.panel{position:fixed;${edge}:80px;${side}:20px;width:min(400px,calc(100vw - 40px));height:min(640px,calc(100dvh - 100px));overflow:hidden;` +
    'border-radius:14px;background:#fff;color:#1b2226;color-scheme:light;box-shadow:0 8px 40px #0004;font:15px/1.5 system-ui,sans-serif}' +
    (theme === 'dark' ? dark : theme !== 'light' ? `@media(prefers-color-scheme:dark){${dark}}` : '') +
    'iframe{display:block;width:100%;height:100%;border:0;color-scheme:inherit}' +
    '.close{all:initial;position:absolute;top:8px;inset-inline-end:8px;width:40px;height:40px;display:grid;place-items:center;color:inherit;cursor:pointer}' +
    '.close:focus-visible{outline:2px solid}.fallback{position:absolute;inset:64px 24px auto;margin:0}.fallback a{color:inherit}' +
    '@media(max-width:479px){.panel{z-index:1;inset:0;width:100%;height:100%;border-radius:0}}@media print{:host{display:none}}' +
    '@media(prefers-reduced-motion:no-preference){.panel{animation:in .15s ease-out}@keyframes in{from{opacity:0;transform:translateY(8px)}}}'
  );
}

const svg = 'http://www.w3.org/2000/svg';

/** An icon from an SVG path. Built with DOM methods, like all elements here: Trusted Types on a site forbid setting HTML. */
export function icon(path: string): SVGElement {
  const picture = document.createElementNS(svg, 'svg');
  const attributes = {
    viewBox: '0 0 24 24',
    width: '20',
    height: '20',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '2',
    'aria-hidden': 'true',
  };
  for (const [name, value] of Object.entries(attributes)) picture.setAttribute(name, value);
  const stroke = document.createElementNS(svg, 'path');
  stroke.setAttribute('d', path);
  picture.append(stroke);
  return picture;
}
export const cross = 'M6 6l12 12M18 6L6 18';
const bubble = 'M4 5h16v11h-9l-5 4v-4H4z';

export interface Launcher {
  button: HTMLButtonElement;
  /** Sets the number of unread replies, and how screen readers describe it; 0 hides the badge. */
  badge: (count: number, label?: string) => void;
}

export function createLauncher(text: string): Launcher {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'launcher';
  button.setAttribute('aria-haspopup', 'dialog');
  button.setAttribute('aria-expanded', 'false');
  const words = document.createElement('span');
  words.className = 'text';
  words.textContent = text;
  const mark = document.createElement('span');
  mark.className = 'badge';
  mark.hidden = true;
  button.append(icon(bubble), words, mark);
  return {
    button,
    badge: (count, label = '') => {
      mark.hidden = count === 0;
      mark.textContent = count > 9 ? '9+' : String(count);
      if (count === 0) button.removeAttribute('aria-label');
      else button.setAttribute('aria-label', `${text}, ${label}`);
    },
  };
}
