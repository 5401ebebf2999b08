import { deletionRules, webhookRules } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';
import { InfoPage, InfoSection } from './InfoPage';

/** How long records are kept. Product rules in docs/product-rules.md. */
const kept = [
  'Tickets, comments, files and customers: until an agent or an admin deletes them.',
  'Incoming emails as they arrived: 30 days.',
  'Notifications of staff: 90 days.',
  `Public events and their deliveries to webhooks: ${webhookRules.retentionDays} days.`,
  'The log of what was synced with a task tool: 30 days.',
  'The audit log: 400 days.',
  `Everything of an organization: until ${deletionRules.days} days after its admins request its deletion.`,
];

/** /privacy: what an installation stores, for how long, and who sees it. */
export const PrivacyPage = () => (
  <InfoPage
    title="Privacy"
    intro="What Tandem stores, how long it keeps it, and who can see it. The organization that uses Tandem decides what it does with your data."
  >
    <InfoSection title="If you asked for support">
      <p>
        You need no account. Tandem stores your name, your email address, the text and the files that you send, and the ratings that you
        give. Only the staff of the organization that you wrote to can read them. If that organization has connected a task tool such as
        ClickUp, the ticket and its public replies are copied to it.
      </p>
      <p>To see, correct or delete your data, write to that organization: it owns the data and can answer you.</p>
    </InfoSection>
    <InfoSection title="If you work with Tandem">
      <p>
        Tandem stores your name, your email address, a hash of your password, your settings and what you do with tickets. For each sign-in
        it stores the time, the IP address and the browser, so that you and your admins can recognize sign-ins by someone else.
      </p>
    </InfoSection>
    <InfoSection title="How long data is kept">
      <ul>
        {kept.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </InfoSection>
    <InfoSection title="Cookies">
      <p>
        Staff get three cookies when they sign in: two that contain the session, and one that protects forms from other websites. Customers
        and visitors get none. Settings such as dark mode, unsent drafts and a random value that goes with your ratings of help articles are
        stored in your browser.
      </p>
      <p>There are no advertising or tracking cookies. Tandem’s pages load nothing from other companies: fonts and scripts are its own.</p>
    </InfoSection>
    <InfoSection title="Security">
      <p>
        Data of organizations is separated in the database itself. Passwords are hashed; secrets of connected tools are encrypted. Read more
        in the{' '}
        <Link to="/docs/admin-guide#security" className="text-accent-text underline underline-offset-4">
          admin guide
        </Link>
        .
      </p>
    </InfoSection>
  </InfoPage>
);
