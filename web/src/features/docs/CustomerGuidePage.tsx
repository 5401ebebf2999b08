import { attachmentRules, customerStatusLabels, type TicketStatus } from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DocsPage } from './DocsPage';
import { docsLink, DocsSection, Points, Steps } from './DocsSection';
import { DocsTable } from './DocsTable';
import { DocsTabs } from './DocsTabs';

/** /docs/customer-guide: also on each organization's host, for its customers, so its text does not name the product. */
export const CustomerGuidePage = () => (
  <DocsPage name="customer-guide">
    <DocsTabs
      label="Customer guide"
      tabs={[
        { value: 'submitting', label: 'Submitting', panel: <Submitting /> },
        { value: 'tracking', label: 'Tracking', panel: <Tracking /> },
        { value: 'communication', label: 'Communication', panel: <Communication /> },
        { value: 'faq', label: 'FAQ', panel: <Faq /> },
      ]}
    />
  </DocsPage>
);

const To = ({ page, children }: { page: string; children: ReactNode }) => (
  <Link to={page} className={docsLink}>
    {children}
  </Link>
);

const Submitting = () => (
  <>
    <DocsSection title="Find an answer first">
      <p>
        Our <To page="/help">help pages</To> may already have the answer. The form for a new ticket also suggests articles while you enter
        the subject. If one solves your problem, you don’t need to send the ticket.
      </p>
    </DocsSection>
    <DocsSection title="Submit a ticket">
      <Steps>
        <li>
          Open <To page="/submit-ticket">Submit a ticket</To>, or the support button on our website. You don’t need an account.
        </li>
        <li>Enter your email address, a subject and a description. We send our reply to this address, so check it for typing errors.</li>
        <li>Add files if they help, such as screenshots. You can also paste a picture.</li>
        <li>Choose a priority, and a category if you know one. Then choose “Submit ticket”.</li>
      </Steps>
      <p>
        You get a ticket number, such as ORG-0001, and an email with a link to your ticket. Emails to our support address become tickets,
        too.
      </p>
    </DocsSection>
    <DocsSection title="Write a good description">
      <Points>
        <li>What did you expect, and what happened instead?</li>
        <li>What did you do right before? The exact text of an error message helps.</li>
        <li>When did it start, and does it happen every time?</li>
        <li>One ticket for each problem gets faster answers than one ticket for many.</li>
      </Points>
    </DocsSection>
    <DocsSection title="Expected response times">
      <p>The priority that you choose tells us how much the problem affects you.</p>
      <DocsTable
        caption="Expected response times"
        isCode={false}
        head={['Priority', 'Choose it if', 'First response']}
        rows={[
          ['High', 'You can’t work, or many people are affected', '2–4 hours'],
          ['Medium', 'Something is wrong, but you can continue', '8–24 hours'],
          ['Low', 'You have a question or a suggestion', '24–48 hours'],
        ]}
      />
      <p className="text-muted">
        These times are typical, not guaranteed, and can be longer outside of business hours. Choose Urgent only if everything has stopped.
      </p>
    </DocsSection>
    <DocsSection title="Files">
      <p>
        A message can have up to {attachmentRules.maxFiles} files with at most {attachmentRules.maxBytes / 1024 / 1024} MB each. Programs
        are not accepted.
      </p>
    </DocsSection>
  </>
);

const statuses: Record<TicketStatus, string> = {
  open: 'We’ve received your ticket, and will review it.',
  in_progress: 'We’re working on it.',
  waiting_for_customer: 'We’re waiting for information from you, or for you to test a solution. Your reply sets the ticket to Open again.',
  resolved: 'We believe that the problem is solved.',
  closed: 'The ticket is finished, and our team no longer works on it.',
};

const Tracking = () => (
  <>
    <DocsSection title="Open your ticket">
      <p>
        Every email from us has a link to your ticket. Without one, open <To page="/ticket-status/check">Check Ticket Status</To> and enter
        your email address, and the ticket number if you know it. We’ll email you links to your tickets.
      </p>
      <p>
        Anyone who has the link from our emails can open the ticket, so forward it only to people who may read the conversation. If the page
        asks for an email address, enter the one that you used for this ticket.
      </p>
    </DocsSection>
    <DocsSection title="Statuses">
      <DocsTable
        caption="Statuses"
        isCode={false}
        head={['Status', 'Meaning']}
        rows={Object.entries(statuses).map(([status, meaning]) => [customerStatusLabels[status as TicketStatus], meaning])}
      />
    </DocsSection>
    <DocsSection title="The ticket’s page">
      <p>It shows the status and the whole conversation. New replies appear without reloading the page.</p>
    </DocsSection>
  </>
);

const Communication = () => (
  <>
    <DocsSection title="Reply">
      <Points>
        <li>Write a comment on the ticket’s page, with files if you like.</li>
        <li>Or reply to any of our emails. Write above the line that says so, and keep the subject.</li>
      </Points>
      <p>Both end up in the same conversation, so it doesn’t matter which one you use.</p>
    </DocsSection>
    <DocsSection title="Emails that you get">
      <Points>
        <li>A confirmation when your ticket is created</li>
        <li>Each reply from our team, with its full text</li>
        <li>A message when we’re waiting for your reply</li>
        <li>A message when the ticket is resolved</li>
      </Points>
      <p>These emails cannot be disabled, so that you don’t miss an answer.</p>
    </DocsSection>
    <DocsSection title="After it’s resolved">
      <p>
        You can comment while your ticket is neither resolved nor closed. After that, it depends on our team’s settings: your comment
        through the ticket link reopens the ticket, or starts a new one that is linked to it, or the page asks you to submit a new ticket.
        The page says which one applies before you write.
      </p>
    </DocsSection>
    <DocsSection title="Rate our support">
      <p>
        When a ticket is resolved or closed, you can rate our support from 1 (Very Poor) to 5 (Excellent), and add a comment. You can do
        this once for each ticket.
      </p>
    </DocsSection>
  </>
);

const questions: [question: string, answer: ReactNode][] = [
  ['Do I need an account?', 'No. The link in our emails and your email address open your ticket.'],
  [
    'I haven’t received an email. What now?',
    <>
      Check your spam folder first. Then enter your address in <To page="/ticket-status/check">Check Ticket Status</To>: if nothing arrives,
      the address of the ticket probably has a typing error. Submit it again.
    </>,
  ],
  ['Can I turn off the emails?', 'No. Email notifications about your ticket cannot be disabled.'],
  ['Can I reopen a closed ticket?', 'If our team allows it: add a comment through the ticket link. Otherwise, submit a new ticket.'],
  ['Can I change the priority later?', 'Add a comment with the reason. Our team can change it.'],
  ['Who can read my ticket?', 'Our team, and anyone who gets its link from you.'],
];

const Faq = () =>
  questions.map(([question, answer]) => (
    <DocsSection key={question} title={question}>
      <p>{answer}</p>
    </DocsSection>
  ));
