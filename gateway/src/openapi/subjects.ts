import type { Operation } from '@tandem/contracts';

interface Subject {
  /** The tag of the document, and the heading on its page. */
  name: string;
  description: string;
  /** The paths of its operations; the first subject that matches has an operation. */
  paths: RegExp;
}

/** How the document groups operations: first the operations that programs call, then those that only the app calls. */
export const subjects: readonly Subject[] = [
  {
    name: 'Comments and files',
    description: 'The conversation of a ticket: replies to the customer, internal notes, and their files.',
    paths: /^\/(tickets\/:id\/(comments|drafts?|attachments|original)|attachments|files)/,
  },
  {
    name: 'Customers’ tickets',
    description: 'What customers can do without an account, on an organization’s portal: send a ticket, follow it, answer the survey.',
    paths: /^\/public\/(?!branding)/,
  },
  {
    name: 'Widget',
    description: 'What the widget does on an organization’s website, and its settings.',
    paths: /^\/(widget|widget-settings)(\/|$)/,
  },
  {
    name: 'Webhooks',
    description: 'Endpoints that receive an organization’s events, their deliveries, and replays of missed events.',
    paths: /^\/(webhook|tickets\/:id\/webhook-deliveries)/,
  },
  {
    name: 'Changes',
    description: 'The events of webhooks for programs that cannot receive them: by polling, or as a stream.',
    paths: /^\/changes/,
  },
  {
    name: 'Analytics',
    description: 'Figures about tickets, exports, and scheduled reports.',
    paths: /^\/(analytics|tickets\/(stats|:id\/metrics))/,
  },
  {
    name: 'Tasks',
    description: 'Links between tickets and the tasks of a task tool, and the connection to that tool.',
    paths: /^\/(task-tool|hooks|tickets\/:id\/(task|finished-task))/,
  },
  {
    name: 'SLA policies',
    description: 'Times within which tickets of a priority should be answered and resolved.',
    paths: /^\/(sla-policies|tickets\/:id\/sla)/,
  },
  {
    name: 'Views and canned replies',
    description: 'Saved filters of the ticket list, and reusable texts for agents.',
    paths: /^\/(views|macros|list-preferences)/,
  },
  { name: 'Rules', description: 'Routine work on tickets that the product does.', paths: /^\/rules/ },
  {
    name: 'Articles',
    description: 'Help articles, their versions and categories, and how readers use them.',
    paths: /^\/(articles|article-categories|tickets\/[^/]+\/article$|help-report)/,
  },
  {
    name: 'Help pages',
    description: 'What readers of an organization’s help pages can do without an account.',
    paths: /^\/public\/(help|articles|article-pictures)/,
  },
  {
    name: 'Imports and exports',
    description: 'Moving data in and out. Only admins do that, in the app.',
    paths: /^\/(imports|import-files|exports|export-files)(\/|$)/,
  },
  {
    name: 'Privacy',
    description: 'Exporting and erasing what is stored about a customer, and the retention of tickets. Only admins do that, in the app.',
    paths: /^\/(erasures|customer-exports|retention)(\/|$)/,
  },
  { name: 'Custom fields', description: 'Fields of tickets that an organization defines.', paths: /^\/custom-fields/ },
  { name: 'Tickets', description: 'Tickets, and what happens to them.', paths: /^\/(tickets|assignees)/ },
  {
    name: 'Organization',
    description: 'The organization, its branding and its settings.',
    paths: /^\/(organizations|branding|wording|public\/branding|ticket-prefix|mail-in|emails?|oidc-connection)/,
  },
  { name: 'Team', description: 'Members and invitations.', paths: /^\/(team|invitations)/ },
  { name: 'API tokens', description: 'Tokens for programs. Only admins manage them, in the app.', paths: /^\/api-tokens/ },
  { name: 'Audit', description: 'Who changed access or settings, and failed sign-ins.', paths: /^\/(audit-log|security-events)/ },
  { name: 'Notifications', description: 'Notices for a member, and events for open pages.', paths: /^\/(notification|events)/ },
  { name: 'Account', description: 'Sign-in, and a person’s own account.', paths: /^\/(auth|me)(\/|$)/ },
];

const order = ['Tickets', 'Comments and files', 'Changes', 'Webhooks', 'Analytics', 'Organization'];
/** The subjects in the order in which the document shows them. */
export const orderedSubjects = [
  ...order.map((name) => subjects.find((subject) => subject.name === name)!),
  ...subjects.filter(({ name }) => !order.includes(name)),
];

export function subjectOf({ path, name }: Pick<Operation, 'path' | 'name'>): Subject {
  const subject = subjects.find(({ paths }) => paths.test(path));
  if (!subject) throw new Error(`${name} belongs to no subject`);
  return subject;
}
