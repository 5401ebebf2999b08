import { erasureRemains, exportLimits, privacyLimits } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';
import { docsLink, DocsSection, Points, SettingsLink, Steps } from '../DocsSection';

const ErasureSection = () => (
  <DocsSection title="Erasing a customer">
    <p>
      <SettingsLink section="privacy" /> deletes everything that your organization stores about an email address. Only administrators can do
      this, and the audit log shows each request without the address.
    </p>
    <Steps>
      <li>Enter the address, or choose “Erase this customer…” next to a ticket of the customer.</li>
      <li>Check what would be erased: the counts, the latest tickets, tickets of other customers, and linked tasks.</li>
      <li>Choose when: in 24 hours, in 7 days, or now. Until it starts, you can cancel it.</li>
      <li>Type the address again.</li>
      <li>Open the erasure in the list when it is finished, and print or download its receipt.</li>
    </Steps>
    <Points>
      <li>Tickets are deleted with their comments, internal notes, files, emails, ratings and drafts.</li>
      <li>On tickets of other customers, only the customer’s comments and the address in Cc are deleted.</li>
      <li>
        Data that arrives before the erasure starts is deleted as well. After it, a new message from the address creates a new ticket.
      </li>
      <li>The receipt names what each part of Tandem has deleted. It has a number and contains no data of the customer.</li>
      <li>
        All exports of your organization are deleted, because they may contain the customer: download those you need first. Imports can no
        longer be undone.
      </li>
      <li>Members of your team cannot be erased this way. Remove them first.</li>
      <li>Up to {privacyLimits.erasures} erasures can be scheduled or running at the same time.</li>
    </Points>
  </DocsSection>
);

const RemainsSection = () => (
  <DocsSection title="What remains">
    <p>An erasure reaches everything that Tandem stores, except for this. The receipt lists what applies.</p>
    <Points>
      {Object.entries(erasureRemains).map(([remain, sentence]) => (
        <li key={remain}>{sentence}</li>
      ))}
    </Points>
  </DocsSection>
);

const ArchiveSection = () => (
  <DocsSection title="A customer’s data as an archive">
    <p>
      Enter the address in <SettingsLink section="privacy" /> and choose “Export this customer’s data” to answer a request for access. The
      archive appears in the list of <SettingsLink section="export" />, where you can download it for {exportLimits.keepDays} days. Open{' '}
      <code>index.html</code> in it to read everything. Do that before you send the archive: it contains internal notes.
    </p>
  </DocsSection>
);

const RetentionSection = () => (
  <DocsSection title="Retention">
    <p>
      <SettingsLink section="privacy" /> can delete or anonymize resolved and closed tickets automatically. It is off until you turn it on.
    </p>
    <Points>
      <li>
        You choose the months since the last change of a ticket, from {privacyLimits.minMonths} to {privacyLimits.maxMonths}. Open tickets
        are left alone.
      </li>
      <li>Tickets of the categories that you enter stay.</li>
      <li>Deleted tickets are deleted with their comments, files and emails.</li>
      <li>
        Anonymized tickets stay for your reports: with their number, status, priority, category, tags, assignee, times, ratings, and custom
        fields that are choices, numbers or dates. The customer, all texts, files and emails are removed. Such a ticket can be opened, but
        not changed or answered, and an email that answers it opens a new ticket.
      </li>
      <li>Linked tasks stay in your task tool, with what was copied to them.</li>
      <li>
        Retention runs at 3:00 AM in your organization’s time zone, for up to {privacyLimits.perNight.toLocaleString('en-US')} tickets per
        night. The form shows how many tickets that would be.
      </li>
      <li>
        Figures in{' '}
        <Link to="/analytics" className={docsLink}>
          Analytics
        </Link>{' '}
        stay. They contain no customer data.
      </li>
      <li>Deleted tickets and removed data cannot be restored.</li>
    </Points>
  </DocsSection>
);

export const Privacy = () => (
  <>
    <ErasureSection />
    <RemainsSection />
    <ArchiveSection />
    <RetentionSection />
  </>
);
