import { apiSources, exportLimits, importLimits, importSourceNames, importSources } from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { docsLink, DocsSection, Points, SettingsLink, Steps } from '../DocsSection';
import { DocsTable } from '../DocsTable';

const gigabytes = importLimits.fileBytes / 1024 ** 3;
const names = new Intl.ListFormat('en-US', { type: 'conjunction' });
const apiNames = names.format(apiSources.map((source) => importSourceNames[source]));

const sources: ReactNode[][] = [
  ['CSV files', 'Tickets, comments, customers and articles, from any tool. You choose which column is which.'],
  ['Tandem', 'The archive of an export, with custom fields, canned replies, views, rules, SLA policies and articles.'],
  [
    'Zendesk',
    'The JSON export of tickets and users: Admin Center > Account > Tools > Reports. The account owner may have to ask Zendesk to enable it.',
  ],
  ['Freshdesk', 'The ZIP file of the account export: Admin > Account > Account Details > Export Data.'],
  ['Help Scout', 'Conversations with threads as JSON, in the format of its Mailbox API.'],
  ['Chatwoot', 'Its address, and the access token of an administrator: Profile Settings, at the end of the page.'],
  ['Zammad', 'Its address, and a token with the permissions ticket.agent and knowledge_base.editor: Profile > Token Access.'],
];

const ImportSection = () => (
  <DocsSection title="Import">
    <p>
      <SettingsLink section="import" /> brings tickets, conversations and articles from{' '}
      {names.format(importSources.map((source) => importSourceNames[source]))}. {apiNames} are read through their API; for all others you
      upload files of up to {gigabytes} GB.
    </p>
    <DocsTable caption="Sources" isCode={false} head={['Source', 'What you need']} rows={sources} />
    <Steps>
      <li>Choose the source, and upload the files or enter the address and the token.</li>
      <li>For CSV files, check which column fills which field. Suggestions come from the names of the columns.</li>
      <li>Check the data. Everything is read, nothing is created, and each problem is listed with its file and line.</li>
      <li>Match people, statuses and priorities. Without a match, only the name of a person is kept on their comments.</li>
      <li>Start the import. You can leave the page and come back at any time.</li>
    </Steps>
    <Points>
      <li>
        No emails are sent, no rules run, no tasks are created, and no webhooks are called. If a task tool is connected, the page
        Integration offers to create tasks for the imported tickets after the import.
      </li>
      <li>Original times, authors, internal notes and files are kept, and ticket numbers if no other ticket has them.</li>
      <li>A second import of the same data creates only what is new. Use it on the day you switch.</li>
      <li>An import can be undone for {importLimits.undoHours} hours. Tickets and articles that were changed in the meantime stay.</li>
      <li>Uploaded files and tokens are deleted after the import, or after {importLimits.keepDays} days if you don’t start it.</li>
    </Points>
  </DocsSection>
);

const ExportSection = () => (
  <DocsSection title="Export">
    <p>
      <SettingsLink section="export" /> creates an archive with everything in your organization: tickets, comments, timeline, surveys,
      files, articles, members, settings and the audit log. Each kind is a file with one JSON object per line, next to a description of its
      format. You get an email when the archive is ready, and can download it for {exportLimits.keepDays} days.
    </p>
    <Points>
      <li>Another Tandem organization can import the archive.</li>
      <li>Passwords, tokens and other secrets are never part of it.</li>
      <li>
        Only administrators can export, and the audit log shows each export and download. You can export {exportLimits.perDay} times a day.
      </li>
    </Points>
    <p>
      To download a list of tickets instead, set its filters in the{' '}
      <Link to="/tickets" className={docsLink}>
        ticket list
      </Link>{' '}
      and choose “Download as CSV” in its menu. The file has up to {exportLimits.csvRows.toLocaleString('en-US')} tickets.
    </p>
  </DocsSection>
);

export const MovingData = () => (
  <>
    <ImportSection />
    <ExportSection />
  </>
);
