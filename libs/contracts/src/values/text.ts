// C0 except tab and line breaks, DEL, and C1.
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
// Embeddings, overrides and isolates (UAX 9), which can display a name ending in 'gpj.exe' as 'exe.jpg'.
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g;
const lineBreaks = /\r\n?|[\u2028\u2029]/g;

/**
 * Text that can be stored and sent: well-formed, and without control characters except tab and line breaks. People do not type them,
 * PostgreSQL rejects NUL, and terminals interpret some.
 */
export const stripControls = (text: string): string => text.replace(controlCharacters, '').toWellFormed();

/** The same, with each kind of line break as a line feed. */
export const cleanLines = (text: string): string => stripControls(text.replace(lineBreaks, '\n'));

/** Removes the characters that change the direction of the text after them. Marks of a direction, which scripts need, stay. */
export const stripDirections = (text: string): string => text.replace(directionControls, '');
