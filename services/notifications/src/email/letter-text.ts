import { ratingsOf, surveyQuestion, type Letter, type LetterLink } from './letter';
import { plainText } from './words';

const linkText = ({ label, href, note }: LetterLink) => `${label}${note ? ` (${note})` : ''}:\n${href}`;

/**
 * The plain-text part, for clients without HTML and for automatic processing. Built from the letter rather than from its HTML, so that
 * lines stay as typed.
 */
export function letterText(letter: Letter): string {
  const { look, delimiter, heading, paragraphs, said, files, fact, links, survey, closing, choice } = letter;
  const blocks: (string | null | undefined | false)[] = [
    delimiter,
    look.header?.text,
    heading,
    ...paragraphs,
    said?.trimEnd(),
    files && files.length > 0 && `Files:\n${files.map((name) => `- ${name}`).join('\n')}`,
    fact && `${fact.label}: ${fact.value}`,
    ...links.map(linkText),
    survey &&
      `${surveyQuestion}\n${ratingsOf(survey)
        .map(({ rating, label, href }) => `${rating} ${label}: ${href}`)
        .join('\n')}`,
    [closing, choice?.href].filter(Boolean).join('\n'),
    look.footer?.text,
    `-- \n${look.sender}${look.powered_by ? '\nPowered by Tandem' : ''}`,
  ];
  return plainText(blocks.filter(Boolean).join('\n\n'));
}
