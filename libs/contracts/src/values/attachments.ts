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
] as const; // prettier-ignore

/** The ending of a name as a desktop reads it: without case, and without the dots and blanks at the end that Windows drops. */
export const endingOf = (fileName: string): string => /\.([^.]*?)[. ]*$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
export const isRefusedName = (fileName: string): boolean => (refusedEndings as readonly string[]).includes(endingOf(fileName));
