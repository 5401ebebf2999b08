import { reportFrequencyLabels, type ReportFrequency } from '@tandem/contracts/values';
import { chartsOf, figuresOf, periodText } from '../../report/report';
import type { ReportMail } from '../../schema';
import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';
import { oneLine } from '../text';

const titles: Record<ReportFrequency, string> = { weekly: 'Weekly report', monthly: 'Monthly report' };

/** Email to a member: the figures of the organization's preceding week or month. */
export function staffReport(
  { frequency, time_zone, analytics }: ReportMail,
  { theme, link, unsubscribe }: { theme: Theme; link: string; unsubscribe: string },
): Rendered {
  const { period, previous } = analytics;
  const heading = `${titles[frequency]}: ${periodText(period)}`;
  const figures = figuresOf(analytics);
  return {
    subject: oneLine(`${heading} · ${theme.sender}`),
    ...renderContent({
      theme,
      preview: figures
        .slice(0, 3)
        .map(({ label, value }) => `${label}: ${value}`)
        .join(' · '),
      heading,
      paragraphs: [`The figures of ${theme.sender}, compared with the period before: ${periodText(previous.period)}.`],
      figures,
      charts: chartsOf(analytics),
      action: { label: 'Open analytics', href: link },
      closing: `You receive this report ${reportFrequencyLabels[frequency].replace(/^./, (first) => first.toLowerCase())}. Days start at midnight in ${oneLine(time_zone, 60)}. To stop receiving it:`,
      footerLink: { label: 'Unsubscribe', href: unsubscribe },
    }),
    unsubscribe,
  };
}
