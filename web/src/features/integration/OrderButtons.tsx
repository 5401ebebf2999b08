import type { Integration } from '@tandem/contracts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { announce } from '../../lib/announce';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { useOrderIntegrationsMutation } from './integration.api';

/** Integrations can be moved only among those of their kind (with rules, or for all tickets), and not if tickets are linked manually. */
const isMovable = (one: Integration | undefined, other: Integration | undefined): boolean =>
  one !== undefined && other !== undefined && one.rules.create === other.rules.create && one.rules.create !== 'none';

/** Buttons that move an integration in the order in which new tickets are offered to integrations. */
export function OrderButtons({ all, index }: { all: Integration[]; index: number }) {
  const [order, { isLoading }] = useOrderIntegrationsMutation();
  const integration = all[index]!;
  const { list_name } = integration;
  const ways = [
    { label: t('integration.move_up', { list_name }), icon: ArrowUp, to: index - 1 },
    { label: t('integration.move_down', { list_name }), icon: ArrowDown, to: index + 1 },
  ];
  if (!ways.some(({ to }) => isMovable(integration, all[to]))) return null;
  const move = async (to: number) => {
    const ids = all.map(({ id }) => id);
    ids.splice(to, 0, ...ids.splice(index, 1));
    const { error } = await order(ids);
    if (error) notify.problem(error, t('integration.couldnt_change_order'));
    else
      announce(
        to < index ? t('integration.moved_up', { list_name, place: to + 1 }) : t('integration.moved_down', { list_name, place: to + 1 }),
      );
  };
  return (
    <div className="flex shrink-0 items-center" role="group" aria-label={t('integration.order_of_list_name', { list_name })}>
      {ways.map(({ label, icon: Icon, to }) => {
        const isLast = !isMovable(integration, all[to]);
        return (
          <Button
            key={label}
            variant="ghost"
            size="icon-sm"
            aria-label={label}
            // `aria-disabled` keeps the focus on a button whose integration has reached the end.
            aria-disabled={isLast || isLoading || undefined}
            onClick={() => !isLast && !isLoading && void move(to)}
          >
            <Icon aria-hidden />
          </Button>
        );
      })}
    </div>
  );
}
