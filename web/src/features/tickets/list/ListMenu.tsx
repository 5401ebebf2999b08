import { Download, Ellipsis } from 'lucide-react';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';
import { useFilters } from './use-filters';

/** What can be done with the whole list. The code of an action loads when it is chosen. */
export function ListMenu() {
  const { filters } = useFilters();
  const download = () => void import('./download-tickets').then((module) => module.downloadTickets(filters));
  return (
    <Menu
      trigger={
        <Button size="icon-sm" aria-label={t('tickets.list.list_actions')} title={t('tickets.list.list_actions')}>
          <Ellipsis aria-hidden />
        </Button>
      }
      entries={[{ label: t('tickets.list.download_as_csv'), icon: Download, onSelect: download }]}
    />
  );
}
