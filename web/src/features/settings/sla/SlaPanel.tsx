import { Policies } from './Policies';
import { WorkingTime } from './WorkingTime';

/** SLA policies with their active toggle, and the working time that their timers follow. */
export const SlaPanel = () => (
  <div className="flex flex-col gap-5">
    <Policies />
    <WorkingTime />
  </div>
);
