import { surveyLinks, surveyQuestion, type EmailContent, type EmailLink } from './email-content';
import { plainText } from './text';

const linkText = ({ label, href, note }: EmailLink) => `${label}${note ? ` (${note})` : ''}:\n${href}`;

/**
 * The plain-text part, for clients without HTML and for automatic processing. Built from the content rather than from its HTML, so that
 * lines stay as typed.
 */
export function renderText(content: EmailContent): string {
  const { theme, delimiter, heading, paragraphs, message, files, fact, links, survey, closing, footerLink } = content;
  const blocks: (string | null | undefined | false)[] = [
    delimiter,
    theme.header?.text,
    heading,
    ...paragraphs,
    message?.trimEnd(),
    files && files.length > 0 && `Files:\n${files.map((name) => `- ${name}`).join('\n')}`,
    fact && `${fact.label}: ${fact.value}`,
    ...links.map(linkText),
    survey &&
      `${surveyQuestion}\n${surveyLinks(survey)
        .map(({ rating, label, href }) => `${rating} ${label}: ${href}`)
        .join('\n')}`,
    [closing, footerLink?.href].filter(Boolean).join('\n'),
    theme.footer?.text,
    `-- \n${theme.sender}${theme.powered_by ? '\nPowered by Tandem' : ''}`,
  ];
  return plainText(blocks.filter(Boolean).join('\n\n'));
}
