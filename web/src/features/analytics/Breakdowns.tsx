import type { Analytics } from '@tandem/contracts';
import { channelLabels, priorityLabels, statusLabels, ticketPriorities, ticketStatuses } from '@tandem/contracts/values';
import type { MetricLinks } from '../../lib/metric-links';
import { PriorityMark, StatusMark } from '../../lib/ticket-badges';
import { Breakdown } from './Breakdown';
import type { BarItem } from './charts/BarList';

interface SectionProps {
  analytics: Analytics;
  links: MetricLinks;
}

export function PriorityAndStatus({ analytics: { by_priority, by_status, figures }, links }: SectionProps) {
  const countOf = (rows: { key: string; count: number }[], key: string) => rows.find((row) => row.key === key)?.count ?? 0;
  const priorities = [...ticketPriorities]
    .reverse()
    .filter(links.hasPriority)
    .map((key) => ({
      name: priorityLabels[key],
      count: countOf(by_priority, key),
      to: links.priority(key),
      mark: <PriorityMark priority={key} />,
    }));
  const statuses = ticketStatuses.map((key) => ({
    name: statusLabels[key],
    count: countOf(by_status, key),
    to: links.status(key),
    mark: <StatusMark status={key} />,
  }));
  return (
    <div className="grid gap-3 lg:grid-cols-2">
      <Breakdown title="Priority" column="Priority" items={priorities} total={figures.total_tickets} />
      <Breakdown title="Status" column="Status" items={statuses} total={figures.total_tickets} />
    </div>
  );
}

/** The rest has no link: the list cannot leave out the listed names. */
const restOf = (rest: number): BarItem[] => (rest > 0 ? [{ name: 'All others', count: rest }] : []);

export function ChannelCategoryTags({ analytics: { by_channel, by_category, by_tag, figures }, links }: SectionProps) {
  const channels = by_channel.map(({ key, count }) => ({
    name: key === null ? 'Unknown' : channelLabels[key],
    count,
    to: links.channel(key),
  }));
  const categories = by_category.items.map(({ key, count }) => ({ name: key ?? 'No category', count, to: links.category(key) }));
  const tags = by_tag.items.map(({ key, count }) => ({ name: key ?? '', count, to: links.tag(key ?? '') }));
  return (
    <div className="grid gap-3 lg:grid-cols-3">
      <Breakdown title="Channel" column="Channel" items={channels} total={figures.total_tickets} />
      <Breakdown title="Category" column="Category" items={[...categories, ...restOf(by_category.rest)]} total={figures.total_tickets} />
      <Breakdown title="Tags" column="Tag" items={[...tags, ...restOf(by_tag.rest)]} total={figures.total_tickets} />
    </div>
  );
}
