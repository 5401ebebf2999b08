import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages, ticketPriorities, ticketStatuses } from '@tandem/contracts';
import { priorityFrom, statusFrom } from './value-names';

const choices = { statuses: new Map(), priorities: new Map() };
const catalogs = join(__dirname, '../../../../../libs/languages/catalogs/portal');
const texts = (language: string) => JSON.parse(readFileSync(join(catalogs, `${language}.json`), 'utf8')) as Record<string, string>;

it.each(languages)('statuses and priorities › recognizes our own names in %s', (language) => {
  const names = texts(language);
  for (const status of ticketStatuses) expect(statusFrom(names[`status.${status}`]!, choices)).toEqual({ value: status, item: null });
  for (const priority of ticketPriorities)
    expect(priorityFrom(names[`priority.${priority}`]!, choices)).toEqual({ value: priority, item: null });
});
