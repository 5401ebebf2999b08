import { Policies } from './Policies';
import { WorkingTime } from './WorkingTime';

/** Spec part 2, section 2, page A: 'sla: list and creation of service-level policies with an active toggle'; and what their clocks go by. */
export const SlaPanel = () => (
  <div className="flex flex-col gap-5">
    <Policies />
    <WorkingTime />
  </div>
);
