import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Section } from './layout';
import { PortalEntry } from './PortalEntry';

const inline = 'text-accent-text underline decoration-accent-line underline-offset-4 hover:decoration-current';

const questions: { question: string; answer: ReactNode }[] = [
  {
    question: 'Do my customers need an account?',
    answer: 'No. They write through your support page or the widget, get a link by email, and follow the conversation there.',
  },
  {
    question: 'What happens when the trial ends?',
    answer:
      'You choose a plan, or you leave. We don’t ask for a credit card up front, so you’re never charged by surprise. Cancel anytime.',
  },
  {
    question: 'Do colleagues outside support have to learn it?',
    answer: 'No. They see a task in the tool they use. Its status and comments sync back to the ticket, and internal notes stay in Tandem.',
  },
  {
    question: 'Can I bring my tickets from another help desk?',
    answer:
      'Yes. Import them from Zendesk, Freshdesk, Help Scout, Chatwoot, Zammad or CSV files, with their conversations, times and authors. You see every problem before anything is created, and can undo it for a day.',
  },
  {
    question: 'Can I take my data with me?',
    answer:
      'Yes. Leaving is as easy as coming: one click exports everything in your organization, files included, in an open format that other programs can read.',
  },
  {
    question: 'I wrote to a team that uses Tandem. Where is my ticket?',
    answer: (
      <>
        The link is in the email we sent you. If you can’t find it,{' '}
        <Link to="/ticket-status/check" className={inline}>
          request it again
        </Link>
        .
      </>
    ),
  },
];

export const Support = () => (
  <Section
    id="support"
    title="Frequently asked questions"
    lead="About customers, colleagues and the trial. Missing yours? Ask us below."
    className="border-t bg-surface"
  >
    <dl className="grid gap-x-12 border-t sm:grid-cols-2">
      {questions.map(({ question, answer }) => (
        <div key={question} className="border-b py-6 sm:py-8">
          <dt className="text-lg font-semibold tracking-tight text-pretty">{question}</dt>
          <dd className="mt-2 max-w-[52ch] text-base text-pretty text-muted">{answer}</dd>
        </div>
      ))}
    </dl>
    <p className="mt-8 text-base text-muted">
      Still have questions?{' '}
      <PortalEntry to="/submit-ticket" className={inline}>
        Write to us
      </PortalEntry>
      .
    </p>
  </Section>
);
