import { customerStatusLabels, defaultStatusNames, statusLabels, ticketStatuses } from '@tandem/contracts/values';
import { DocsSection, Points, Steps } from './DocsSection';
import { DocsTable } from './DocsTable';

const fields: [ticket: string, task: string, way: string][] = [
  ['Title', 'Task name', 'Both ways'],
  ['Description', 'Task description', 'Ticket to task'],
  ['Customer email', 'Custom field “Customer Email” if the list has one, otherwise a line in the description', 'Ticket to task'],
  ['Custom fields', 'Custom fields of the list with the same name and a suitable type', 'Ticket to task'],
  ['Priority', 'Task priority', 'Both ways'],
  ['Status', 'Task status', 'Both ways'],
  ['Tags', 'Tags', 'Ticket to task'],
  ['Assignee', 'Assignee with the same email', 'Both ways'],
  ['Due time', 'Due date', 'Ticket to task'],
];

const customFieldTypes: [ours: string, theirs: string][] = [
  ['Text, long text', 'Text, text area; website or email if the value is one'],
  ['Number', 'Number, money'],
  ['Date', 'Date, without a time'],
  ['Yes or no', 'Checkbox'],
  ['Choice', 'Dropdown'],
  ['Several choices', 'Labels'],
];

const CustomFields = () => (
  <DocsSection title="Custom fields">
    <p>
      Give a custom field in ClickUp the same name as one of yours. Tandem fills it in when a task is created or linked, and whenever the
      value changes. Upper and lower case don’t matter.
    </p>
    <DocsTable isCode={false} caption="Types of custom fields" head={['Tandem', 'ClickUp']} rows={customFieldTypes} />
    <Points>
      <li>Options are matched by name. An option that the list doesn’t have is skipped; the sync log names it.</li>
      <li>Edits in ClickUp don’t change the ticket. They last until the value changes in Tandem.</li>
      <li>Tandem looks for new fields in the list every hour. Existing tasks get their values with the next change of their ticket.</li>
      <li>If your ClickUp plan doesn’t allow more custom fields, Tandem stops sending them. Everything else still syncs.</li>
    </Points>
  </DocsSection>
);

/** Choosing the list and configuring the sync. */
export const Configure = () => (
  <>
    <DocsSection title="Choose a list">
      <Steps>
        <li>Choose the workspace, the space and the list. Lists in folders are shown as “Folder / List”.</li>
        <li>Review the suggested mapping.</li>
        <li>Choose “Create integration”. From now on, each new ticket becomes a task in this list.</li>
        <li>Optionally, create tasks for older tickets as well. The page shows how many there are and the progress.</li>
      </Steps>
    </DocsSection>
    <DocsSection title="Statuses">
      <p>
        Tandem matches your statuses to those of the ClickUp list by name, then by meaning. An unmapped status isn’t sent; the sync log
        shows it.
      </p>
      <DocsTable
        isCode={false}
        caption="Statuses"
        head={['Ticket', 'Customers see', 'ClickUp']}
        rows={ticketStatuses.map((status) => [statusLabels[status], customerStatusLabels[status], defaultStatusNames[status]])}
      />
    </DocsSection>
    <DocsSection title="Fields">
      <p>You can change the direction of each field except custom fields.</p>
      <DocsTable isCode={false} caption="Fields" head={['Ticket', 'Task', 'Default direction']} rows={fields} />
    </DocsSection>
    <CustomFields />
    <DocsSection title="Comments and internal notes">
      <Points>
        <li>Public comments sync to the task. Task comments come back as internal notes, so customers don’t see them.</li>
        <li>
          <strong className="font-medium">Internal notes never leave the help desk.</strong> No setting sends them to ClickUp.
        </li>
        <li>The customer and the due time are managed in Tandem: a task never changes them.</li>
        <li>Deleting a task doesn’t delete its ticket, and closing a ticket doesn’t delete its task.</li>
      </Points>
    </DocsSection>
    <DocsSection title="Conflicts and finished tasks">
      <p>
        If a ticket and its task change the same field at the same time, the later change wins. You can also let one side always win. When a
        task is finished, its ticket moves to “Ready to tell the customer” with a drafted reply. Customers get no message until one of your
        agents sends it.
      </p>
    </DocsSection>
    <DocsSection title="If a change doesn’t arrive">
      <p>
        Changes usually sync within seconds. Every 15 minutes Tandem compares both sides again, in case it missed one. The integration’s
        sync log shows what happened to each ticket and what failed.
      </p>
    </DocsSection>
  </>
);
