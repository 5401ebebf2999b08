import { channelLabels, priorityLabels, statusLabels, ticketPriorities, ticketStatuses } from '@tandem/contracts/values';
import { t } from '../../lib/staff-texts';
import { PriorityMark, StatusMark } from '../../lib/ticket-badges';
import { Breakdown } from './Breakdown';
import type { BarItem } from './charts/BarList';
import type { SectionProps } from './section';

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
      <Breakdown
        title={t('analytics.priority')}
        metric="priority"
        column={t('analytics.priority')}
        items={priorities}
        total={figures.total_tickets}
      />
      <Breakdown
        title={t('analytics.status')}
        metric="status"
        column={t('analytics.status')}
        items={statuses}
        total={figures.total_tickets}
      />
    </div>
  );
}

/** The last bar: all that are not listed. */
const others = (count: number, to: string): BarItem[] =>
  count === 0 ? [] : [{ name: t('analytics.all_others'), count, to, isRest: true }];

export function ChannelCategoryTags({ analytics: { by_channel, by_category, by_tag, figures }, links }: SectionProps) {
  const channels = by_channel.map(({ key, count }) => ({
    name: key === null ? t('analytics.unknown') : channelLabels[key],
    count,
    to: links.channel(key),
  }));
  const categories = by_category.items.map(({ key, count }) => ({
    name: key ?? t('analytics.no_category'),
    count,
    to: links.category(key),
  }));
  const otherCategories = others(by_category.rest, links.otherCategories(by_category.items.map(({ key }) => key)));
  const tags = by_tag.items.flatMap(({ key, count }) =>
    key !== null && links.hasTag(key) ? [{ name: key, count, to: links.tag(key) }] : [],
  );
  // With a tag filter, the other tags are not shown at all.
  const isWhole = tags.length === by_tag.items.length;
  const otherTags = isWhole ? others(by_tag.rest, links.otherTags(tags.map(({ name }) => name))) : [];
  const total = figures.total_tickets;
  return (
    <div className="grid gap-3 lg:grid-cols-3">
      <Breakdown title={t('analytics.channel')} metric="channel" column={t('analytics.channel')} items={channels} total={total} />
      <Breakdown
        title={t('analytics.category')}
        metric="category"
        column={t('analytics.category')}
        items={[...categories, ...otherCategories]}
        total={total}
      />
      <Breakdown title={t('analytics.tags')} metric="tags" column={t('analytics.tag')} items={[...tags, ...otherTags]} total={total} />
    </div>
  );
}
