import { ruleLimits } from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DocsPage } from './DocsPage';
import { docsLink, DocsSection, Points, SettingsLink, Steps } from './DocsSection';
import { DocsTable } from './DocsTable';

const triggers: ReactNode[][] = [
  ['A ticket is created', 'From the portal, the widget, an email, the API or your team.'],
  ['A ticket is updated', 'A field such as status, priority, assignee, category or tags changes, also when another rule changes it.'],
  ['The customer replies', 'In the portal, in the widget or by email.'],
  ['Your team replies', 'A reply that the customer can see. Internal notes don’t count.'],
  [
    'Time passes',
    'A number of hours or days after the ticket was created or last updated, its status changed, or the customer or your team last replied.',
  ],
];

const actions: ReactNode[][] = [
  ['Assign', 'To a member, to nothing, or to the next agent in turn: the active agent with the fewest open tickets.'],
  ['Set the status, priority or category', 'The same as a change by your team, including due times and emails.'],
  ['Add or remove tags and watchers', 'All others stay.'],
  [
    'Send a reply',
    'With variables such as the customer’s name, and a text for each of your languages. It isn’t a response by your team: due times keep running.',
  ],
  ['Add a note', 'Customers never see it.'],
  [
    'Send to a webhook',
    'Sends the ticket to one of your webhooks as the event ticket.rule.ran, even if the webhook does not subscribe to it. The rule is turned off when the webhook is deleted.',
  ],
];

const templates: ReactNode[][] = [
  ['Reply outside business hours', 'Answers new tickets while your team is away.'],
  ['Route by keywords', 'Assigns and tags tickets that contain certain words.'],
  ['Close without an answer', 'Two rules: a reminder after 5 days without an answer, and closing after 7.'],
  ['Tag by domain', 'Tags and prioritizes the tickets of an important customer.'],
  ['Escalate unanswered urgent tickets', 'Tags urgent tickets without a reply after an hour, and adds a watcher.'],
];

const Create = () => (
  <DocsSection title="Create a rule">
    <p>
      <em>When</em> something happens and <em>if</em> the conditions are met, <em>then</em> a rule changes the ticket or replies.
      Administrators create rules in <SettingsLink section="rules" />; managers can read them.
    </p>
    <Steps>
      <li>Choose New rule, then a starter template or an empty rule.</li>
      <li>Choose when it starts, add conditions, and choose what it does. The line below shows the rule as a sentence.</li>
      <li>
        Choose Test the rule. You see which of the last {ruleLimits.testedTickets} tickets it would have changed, how, and why not the
        others. Nothing is changed or sent.
      </li>
      <li>Choose Create and turn on. You can also save it turned off.</li>
    </Steps>
    <p>
      You can have {ruleLimits.rules} rules, each with up to {ruleLimits.actions} actions.
    </p>
  </DocsSection>
);

const HowRulesRun = () => (
  <DocsSection title="How rules run">
    <Points>
      <li>Rules run from the top of the list to the bottom. Each one sees the changes of those above it. Drag a rule to move it.</li>
      <li>“Stop after this rule” skips the rules below it for a ticket that meets its conditions.</li>
      <li>A rule acts once per ticket and event. With “Only once per ticket” it never acts on the same ticket again.</li>
      <li>Changes by rules start “A ticket is updated” rules once, so that two rules can’t undo each other forever.</li>
      <li>
        One event leads to at most {ruleLimits.actionsPerCause} actions. If rules do more than {ruleLimits.actionsPerHour} actions on a
        ticket within an hour, they are paused for this ticket for {ruleLimits.pauseHours} hours. Administrators are notified of both.
      </li>
      <li>Rules don’t run for imported tickets, and don’t reply to automatic emails such as vacation replies and bounces.</li>
    </Points>
  </DocsSection>
);

const WhatRulesDid = () => (
  <DocsSection title="See what a rule did">
    <Points>
      <li>The timeline of a ticket names the rule: Rule “Refunds to Ada” set High priority. Its name links to the rule.</li>
      <li>
        The list shows how often each rule ran in the last {ruleLimits.runDays} days, when it last did, and its last error. The page of a
        rule lists its runs with links to the tickets.
      </li>
      <li>
        A rule that can’t work any more is turned off and says why, for example because a member that it assigns was deactivated. Correct
        the rule and turn it on again.
      </li>
      <li>
        The{' '}
        <Link to="/docs/admin-guide?tab=security#audit-log" className={docsLink}>
          audit log
        </Link>{' '}
        lists changes of rules.
      </li>
    </Points>
  </DocsSection>
);

/** /docs/rules */
export const RulesPage = () => (
  <DocsPage name="rules">
    <Create />
    <DocsSection title="When">
      <DocsTable caption="When a rule starts" isCode={false} head={['Event', 'Meaning']} rows={triggers} />
      <p>
        Rules that start after a time also apply to tickets that already exist: a new one can change many of them within a few minutes. Test
        it before you turn it on.
      </p>
    </DocsSection>
    <DocsSection title="If">
      <p>
        Conditions compare the ticket’s fields: status, priority, tags, channel, the customer’s address or domain, words in its text,
        business hours and more. A ticket must match all of them, or any.
      </p>
    </DocsSection>
    <DocsSection title="Then">
      <DocsTable caption="What a rule does" isCode={false} head={['Action', 'Good to know']} rows={actions} />
    </DocsSection>
    <HowRulesRun />
    <DocsSection title="Starter templates">
      <DocsTable caption="Starter templates" isCode={false} head={['Template', 'What it does']} rows={templates} />
    </DocsSection>
    <WhatRulesDid />
  </DocsPage>
);
