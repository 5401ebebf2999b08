import { customerStatusLabels, defaultStatusNames, statusLabels, ticketStatuses } from '@tandem/contracts/values';
import { DocsSection, Points, Steps } from './DocsSection';

const fields: [ticket: string, task: string, way: string][] = [
  ['Title', 'Task name', 'Both ways'],
  ['Description', 'Task description', 'Ticket to task'],
  ['Customer email', 'Custom field “Customer Email” if the list has it, else a line in the description', 'Ticket to task'],
  ['Priority', 'Task priority', 'Both ways'],
  ['Status', 'Task status', 'Both ways'],
  ['Tags', 'Tags', 'Ticket to task'],
  ['Assignee', 'Assignee with the same email', 'Both ways'],
  ['Due time', 'Due date', 'Ticket to task'],
];

function Table({ caption, head, rows }: { caption: string; head: string[]; rows: (readonly string[])[] }) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={caption}>
      <table className="w-full text-left text-md">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b text-muted">
            {head.map((name) => (
              <th key={name} scope="col" className="py-2 pr-4 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name} className="border-b align-top last:border-b-0">
              <th scope="row" className="py-2 pr-4 font-medium">
                {name}
              </th>
              {cells.map((cell, index) => (
                <td key={index} className="py-2 pr-4">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Choosing the list and configuring the sync. */
export const Configure = () => (
  <>
    <DocsSection title="Choose a list">
      <Steps>
        <li>Choose the workspace, the space and the list. Lists in folders are shown as “Folder / List”.</li>
        <li>Look at the mapping of statuses and fields that is proposed.</li>
        <li>Choose Create integration. From now on each new ticket becomes a task of this list.</li>
        <li>If you want, make tasks for older tickets as well. The page says how many there are, and how far it has come.</li>
      </Steps>
    </DocsSection>
    <DocsSection title="Statuses">
      <p>
        Statuses belong to the ClickUp list. Where the list has one of these names, it is chosen; else one that means the same. A status
        that is mapped to none is not sent, and the sync log says so.
      </p>
      <Table
        caption="Statuses"
        head={['Ticket', 'Customers read', 'ClickUp']}
        rows={ticketStatuses.map((status) => [statusLabels[status], customerStatusLabels[status], defaultStatusNames[status]])}
      />
    </DocsSection>
    <DocsSection title="Fields">
      <p>Each field has a direction that you can change.</p>
      <Table caption="Fields" head={['Ticket', 'Task', 'Unless you change it']} rows={fields} />
    </DocsSection>
    <DocsSection title="Comments, and what never leaves">
      <Points>
        <li>Public comments go to the task. Comments of the task come back as internal notes, so no customer reads them.</li>
        <li>
          <strong className="font-medium">Internal notes never leave the help desk.</strong> They are not sent to ClickUp, whatever you
          choose.
        </li>
        <li>The customer and the due time belong to the help desk: a task never changes them.</li>
        <li>Deleting a task does not delete its ticket, and closing a ticket does not delete its task.</li>
      </Points>
    </DocsSection>
    <DocsSection title="When both sides change, and when a task is finished">
      <p>
        If ticket and task change the same field before either has heard of the other, the later change wins; you can let one side win
        always. When a task is finished, its ticket is put into “Ready to tell the customer” with a drafted reply. Nobody is told anything
        until one of your people sends it.
      </p>
    </DocsSection>
    <DocsSection title="If something does not arrive">
      <p>
        Changes usually follow within seconds, and every 15 minutes both sides are compared again in case one was missed. The sync log of
        the integration says for each ticket what happened and what did not work.
      </p>
    </DocsSection>
  </>
);
