/** Files on tickets and comments. Sizes in bytes. */
export const attachmentRules = {
  maxBytes: 20 * 1024 * 1024,
  maxFiles: 10,
  maxNameLength: 200,
  /** How long an uploaded file waits for its comment or ticket before it is removed, in hours. */
  unusedHours: 24,
  /** How long a signed link works, in seconds. */
  linkSeconds: 300,
} as const;

/**
 * What a browser may show in the page: pictures that cannot carry scripts. Everything else is only offered for download. The type is the one
 * that the bytes say, never the one that the sender claims; SVG and HTML are never in this list.
 */
export const inlineTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const;
export const isInline = (contentType: string): boolean => (inlineTypes as readonly string[]).includes(contentType);

/** Endings that run as programs on a desktop when opened: refused, whatever the bytes are. */
export const refusedEndings = [
  'exe', 'dll', 'com', 'scr', 'bat', 'cmd', 'msi', 'msp', 'pif', 'cpl', 'hta', 'jar', 'js', 'jse', 'vbs', 'vbe', 'wsf', 'wsh', 'ps1', 'lnk', 'reg', 'app', 'dmg',
  'msix', 'iso', 'docm', 'xlsm', 'url', 'sh', 'desktop', 'mhtml',
] as const; // prettier-ignore

/**
 * Characters that are not shown: controls, line separators, marks without width, and those that turn the direction of writing (a name that
 * ends in 'gpj.exe' and is shown as 'exe.jpg'). Joiners stay: scripts and emoji need them.
 */
export const invisibleCharacters =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The ending of a name as a desktop reads it: without case, without invisible characters, and without the dots and blanks at the end that Windows drops. */
export const endingOf = (fileName: string): string =>
  /\.([^.]*?)[.\s]*$/.exec(fileName.replace(invisibleCharacters, ''))?.[1]?.toLowerCase() ?? '';
const isProgram = (fileName: string): boolean => (refusedEndings as readonly string[]).includes(endingOf(fileName));

/** Windows reads `file.txt:evil.exe` and `a.exe::$DATA` as a stream inside the file before the colon. 'Meeting 10:30.pdf' is none. */
function isAlternateStream(fileName: string): boolean {
  const parts = fileName.split(':');
  return parts.length > 1 && (parts.some(isProgram) || parts.slice(1).some((part) => part.startsWith('$')) || endingOf(parts[0]!) !== '');
}

export const isRefusedName = (fileName: string): boolean => isProgram(fileName) || isAlternateStream(fileName);
/** For the person who wants to attach it. */
export const refusalOfName = (fileName: string): string =>
  isProgram(fileName)
    ? `Files ending in .${endingOf(fileName)} cannot be attached`
    : 'Files with a colon after their ending cannot be attached';
