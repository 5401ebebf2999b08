/** Converts Markdown to plain text, like ClickUp's `description` and `text_content`: approximate, not a Markdown parser. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/^```.*$/gm, '')
    .replace(/^ {0,3}#{1,6} +/gm, '')
    .replace(/^ {0,3}> ?/gm, '')
    .replace(/^( *)[*+-] +/gm, '$1')
    .replace(/(?<!\\)!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/(?<!\\)(\*\*|__|~~)(.+?)(?<!\\)\1/g, '$2')
    .replace(/(?<![\\\w])([*_])(?!\s)([^*_\n]+?)(?<![\\\s])\1(?!\w)/g, '$2')
    .replace(/(?<!\\)`([^`\n]+)`/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
