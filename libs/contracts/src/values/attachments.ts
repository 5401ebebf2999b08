/** Files on tickets and comments (docs/product-rules.md#attachments). Sizes in bytes. */
export const attachmentRules = {
  maxBytes: 20 * 1024 * 1024,
  maxFiles: 10,
  maxNameLength: 200,
  /** How long an uploaded file may stay unattached before it is removed, in hours. */
  unusedHours: 24,
  /** How long a signed link is valid, in seconds. */
  linkSeconds: 300,
} as const;

/**
 * The types that a browser may show in the page: images that cannot contain scripts. All other files are only offered for download. The
 * type is detected from the file content, never taken from the sender's claim; SVG and HTML must never be in this list.
 */
export const inlineTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const;
export const isInline = (contentType: string): boolean => (inlineTypes as readonly string[]).includes(contentType);

/** Extensions that a desktop runs as programs when opened: refused, regardless of the file content. */
export const refusedEndings = [
  'exe', 'dll', 'com', 'scr', 'bat', 'cmd', 'msi', 'msp', 'pif', 'cpl', 'hta', 'jar', 'js', 'jse', 'vbs', 'vbe', 'wsf', 'wsh', 'ps1', 'lnk', 'reg', 'app', 'dmg',
  'msix', 'iso', 'docm', 'xlsm', 'url', 'sh', 'desktop', 'mhtml',
] as const; // prettier-ignore

/**
 * Characters that are not displayed: controls, line separators, zero-width characters, and those that change the writing direction (a name
 * that ends in 'gpj.exe' and is displayed as 'exe.jpg'). Joiners are kept because scripts and emoji need them.
 */
export const invisibleCharacters =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The extension as a desktop reads it: lower case, without invisible characters, without the trailing dots and spaces that Windows removes. */
export const endingOf = (fileName: string): string =>
  /\.([^.]*?)[.\s]*$/.exec(fileName.replace(invisibleCharacters, ''))?.[1]?.toLowerCase() ?? '';
const isProgram = (fileName: string): boolean => (refusedEndings as readonly string[]).includes(endingOf(fileName));

/** Windows reads `file.txt:evil.exe` and `a.exe::$DATA` as a stream in the file before the colon. 'Meeting 10:30.pdf' is not one. */
function isAlternateStream(fileName: string): boolean {
  const parts = fileName.split(':');
  return parts.length > 1 && (parts.some(isProgram) || parts.slice(1).some((part) => part.startsWith('$')) || endingOf(parts[0]!) !== '');
}

export const isRefusedName = (fileName: string): boolean => isProgram(fileName) || isAlternateStream(fileName);
/** The message for the user who wants to attach the file. */
export const refusalOfName = (fileName: string): string =>
  isProgram(fileName)
    ? `Files ending in .${endingOf(fileName)} cannot be attached`
    : 'Files with a colon after their ending cannot be attached';
