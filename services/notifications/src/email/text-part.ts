import { surveyLinks, type EmailChart, type EmailContent, type EmailFigure, type EmailQuote, type EmailTicket } from './email-content';
import { plainText, sentenceText } from './text';

const figureText = ({ label, value, change }: EmailFigure) =>
  `${label}: ${value}${change ? ` (${[change.arrow, change.text].filter(Boolean).join(' ')})` : ''}`;

const chartText = ({ heading, summary, series, rows }: EmailChart) => {
  const valuesOf = (bars: EmailChart['rows'][number]['bars']) =>
    series.length === 1 ? bars[0]!.value : bars.map(({ value }, index) => `${value} ${series[index]!.toLowerCase()}`).join(', ');
  return [heading, summary, ...rows.map(({ label, bars }) => `${label}: ${valuesOf(bars)}`)].join('\n');
};

/** Quoted as mail programs do it, so that a reader sees where the text ends. */
const quoteText = ({ label, title, text }: EmailQuote) => {
  const lines = [title, text?.trimEnd()].filter(Boolean).join('\n\n').split('\n');
  return [`${label}:`, '', ...lines.map((line) => `> ${line}`.trimEnd())].join('\n');
};

const ticketText = ({ number, subject, href, lines }: EmailTicket) =>
  [`${number} ${subject}`, ...lines.map((line) => `- ${line}`), href].join('\n');

/**
 * The plain-text part, for clients without HTML and for automatic processing. Built from the content rather than from its HTML, so that
 * lines stay as typed.
 */
export function renderText(content: EmailContent & Required<Pick<EmailContent, 'texts'>>): string {
  const {
    theme,
    texts,
    delimiter,
    heading,
    author,
    paragraphs = [],
    message,
    markdown,
    files,
    quote,
    status,
    facts,
    figures,
    charts = [],
    tickets = [],
  } = content;
  const { action, survey, closing, footerLink } = content;
  const blocks: (string | null | undefined | false)[] = [
    delimiter,
    theme.header?.text,
    heading,
    author && texts('reply.wrote', { author: author.name, team: author.from }),
    ...paragraphs,
    message && plainText(message).trimEnd(),
    markdown && plainText(markdown).trimEnd(),
    files && files.length > 0 && `${texts('files')}\n${files.map((name) => `- ${name}`).join('\n')}`,
    quote && plainText(quoteText(quote)),
    status,
    facts?.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    figures?.map(figureText).join('\n'),
    ...charts.map(chartText),
    ...tickets.map(ticketText),
    action && `${action.label}:\n${action.href}`,
    survey &&
      `${texts('survey.question')}\n${surveyLinks(survey, texts)
        .map(({ rating, label, href }) => `${rating} ${label}: ${href}`)
        .join('\n')}`,
    [closing, footerLink?.href].filter(Boolean).join('\n'),
    theme.footer?.text,
    `-- \n${theme.sender}${theme.powered_by ? `\n${texts('powered_by')}` : ''}`,
  ];
  return sentenceText(blocks.filter(Boolean).join('\n\n'));
}
