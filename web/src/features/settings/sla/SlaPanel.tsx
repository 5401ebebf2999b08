import { Policies } from './Policies';
import { useListSlaPoliciesQuery } from './sla-settings.api';
import { WorkingTime } from './WorkingTime';

/** SLA policies with their active toggle, and the working time that their timers follow. */
export function SlaPanel() {
  // The number of policies is unknown until they are loaded: the card below them appears then, instead of moving down.
  const { isLoading } = useListSlaPoliciesQuery();
  return (
    <div className="flex flex-col gap-5">
      <Policies />
      <div hidden={isLoading}>
        <WorkingTime />
      </div>
    </div>
  );
}
