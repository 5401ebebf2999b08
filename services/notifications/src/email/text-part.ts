import { surveyLinks, surveyQuestion, type EmailChart, type EmailContent, type EmailFigure, type EmailLink } from './email-content';
import { plainText } from './text';

const linkText = ({ label, href, note }: EmailLink) => `${label}${note ? ` (${note})` : ''}:\n${href}`;

const figureText = ({ label, value, change }: EmailFigure) =>
  `${label}: ${value}${change ? ` (${[change.arrow, change.text].filter(Boolean).join(' ')})` : ''}`;

const chartText = ({ heading, summary, series, rows }: EmailChart) => {
  const valuesOf = (bars: EmailChart['rows'][number]['bars']) =>
    series.length === 1 ? bars[0]!.value : bars.map(({ value }, index) => `${value} ${series[index]!.toLowerCase()}`).join(', ');
  return [heading, summary, ...rows.map(({ label, bars }) => `${label}: ${valuesOf(bars)}`)].join('\n');
};

/**
 * The plain-text part, for clients without HTML and for automatic processing. Built from the content rather than from its HTML, so that
 * lines stay as typed.
 */
export function renderText(content: EmailContent): string {
  const { theme, delimiter, heading, paragraphs, message, files, fact, figures, charts = [], links, survey, closing, footerLink } = content;
  const blocks: (string | null | undefined | false)[] = [
    delimiter,
    theme.header?.text,
    heading,
    ...paragraphs,
    message?.trimEnd(),
    files && files.length > 0 && `Files:\n${files.map((name) => `- ${name}`).join('\n')}`,
    fact && `${fact.label}: ${fact.value}`,
    figures?.map(figureText).join('\n'),
    ...charts.map(chartText),
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
