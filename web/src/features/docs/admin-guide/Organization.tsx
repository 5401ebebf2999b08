import {
  brandingDefaults,
  customFieldLimits,
  deletionRules,
  languageNames,
  languages,
  mailServerRules,
  slaDefaults,
} from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { docsLink, DocsSection, Points, SettingsLink } from '../DocsSection';
import { DocsTable } from '../DocsTable';

const settings: ReactNode[][] = [
  ['Name', <SettingsLink section="organization" />, 'Customers see it on your portal and in emails'],
  [
    'Subdomain',
    <SettingsLink section="organization" />,
    <Link to="/docs/domain-setup" className={docsLink}>
      Domain setup
    </Link>,
  ],
  ['Custom domain (optional)', <SettingsLink section="branding" />, 'Works once its TXT record is verified'],
  ['Ticket numbers', <SettingsLink section="organization" />, 'The prefix can change until the first ticket'],
  ['Time zone', <SettingsLink section="sla" />, 'Used for business hours and analytics'],
  [
    'Logo and primary color',
    <SettingsLink section="branding" />,
    `PNG, JPEG, GIF, WebP or ICO; ${brandingDefaults.primary_color} by default`,
  ],
  ['Custom CSS', <SettingsLink section="branding" />, 'Applied to your public pages'],
  ['Widget theme', <SettingsLink section="embed" />, 'Light, dark or auto'],
  ['Languages', <SettingsLink section="languages" />, `English and ${languages.length - 1} others, and your own wording`],
  ['Auto-assign tickets', <SettingsLink section="sla" />, 'To the active agent with the fewest open tickets'],
  ['Business hours (optional)', <SettingsLink section="sla" />, 'SLA timers pause outside of them'],
  ['Default priority', <SettingsLink section="sla" />, 'Medium, unless you change it'],
  [
    'Rules',
    <SettingsLink section="rules" />,
    <Link to="/docs/rules" className={docsLink}>
      Routine work that Tandem does
    </Link>,
  ],
  [
    'Help articles',
    <Link to="/articles" className={docsLink}>
      Articles
    </Link>,
    <Link to="/docs/help-articles" className={docsLink}>
      Answers on your help pages
    </Link>,
  ],
  ['Custom fields', <SettingsLink section="fields" />, `Your own data in tickets, up to ${customFieldLimits.fields} fields`],
];

const Email = () => (
  <DocsSection title="Email">
    <p>
      <SettingsLink section="email" /> shows the address of your organization. Forward your support address to it, or connect the mailbox
      with IMAP. Emails become tickets, and replies are added to theirs. People in Cc get a copy of each reply.
    </p>
    <p>
      To send from your own domain, enter an address such as <code>support@example.com</code> under Sender domain, and add the three CNAME
      records at your DNS provider. The first one signs your emails (DKIM), the second one lets us replace the key. The third one is
      optional: it returns undeliverable emails under your domain, so that they also pass SPF. We check the records every hour until they
      are found. Until then, and if the first one disappears, emails come from our domain with your name. Replies always arrive in your
      tickets.
    </p>
    <p>
      To send through your own SMTP server instead, enter it under SMTP server. It’s used once it accepts a test email to your own address.
      If it stops working, we queue emails to customers and retry for {mailServerRules.retryDays} days; we never send them another way. We
      warn admins after an hour. Bounces go to the sender address: forward them to your address in Tandem, or connect that mailbox with
      IMAP.
    </p>
  </DocsSection>
);

const Languages = () => (
  <DocsSection title="Languages">
    <p>
      In <SettingsLink section="languages" />, choose your default language and the languages that you offer:{' '}
      {languages.map((language) => languageNames[language]).join(', ')}. Emails to a customer are in the language of the ticket if you offer
      it, and in your default language if not.
    </p>
    <Points>
      <li>
        A ticket gets its language from the form, the widget or the customer’s email program. You can change it in the ticket’s details; a
        language other than your default is shown below the customer’s name.
      </li>
      <li>
        Under “Custom wording” you can replace each text that customers read, in each language you offer. The preview shows it with sample
        values in place of placeholders like {'{name}'}.
      </li>
      <li>To rename a status for customers, choose “Status names, everywhere” in “Custom wording”. Your team keeps the original names.</li>
      <li>
        Under “Categories” you can list the categories that customers choose from in the portal, with a name in each language. Tickets, the
        API and reports contain the first name.
      </li>
      <li>If we change an original text that you have replaced, yours stays, and is marked “Original changed”.</li>
      <li>The line above which customers reply, and emails to your team, can’t be changed.</li>
    </Points>
  </DocsSection>
);

const fieldTypes: ReactNode[][] = [
  ['Text', `One line of up to ${customFieldLimits.text} characters`],
  ['Long text', `Several lines, up to ${customFieldLimits.longText.toLocaleString('en-US')} characters`],
  ['Number', 'With or without decimals'],
  ['Date', 'A day, without a time'],
  ['Yes or no', 'Yes, no, or no value'],
  ['Single choice', `One of up to ${customFieldLimits.options} options`],
  ['Multiple choice', 'Any number of the options'],
];

const CustomFields = () => (
  <DocsSection title="Custom fields">
    <p>
      Custom fields add your own data to tickets, such as an order number or a product. Create them in <SettingsLink section="fields" />.
      Tickets and customer forms show the fields in the order of that list.
    </p>
    <DocsTable caption="Types of custom fields" isCode={false} head={['Type', 'Values']} rows={fieldTypes} />
    <Points>
      <li>
        The key, such as <code>order_number</code>, identifies the field in the API and the widget. Key and type can’t be changed after the
        field is created.
      </li>
      <li>
        “Customer forms” adds the field to the forms in the portal and the widget, as an optional or required field. “Shown to customers”
        shows its value on the page of their ticket.
      </li>
      <li>
        “Set by the widget” lets your website set the value with an attribute such as <code>data-field-order-number</code>. Visitors can
        change it, so don’t rely on it, for example to decide who gets a refund.
      </li>
      <li>With “Required to resolve”, your team can’t resolve or close a ticket until the field has a value.</li>
      <li>A field with categories belongs to tickets of these categories only. A value that a ticket already has stays visible.</li>
      <li>You can rename an option at any time. Tickets keep the value of an option that you remove.</li>
      <li>Under “Translations”, enter the label, the hint and the options in each language you offer.</li>
      <li>
        If you delete a field, rules that use it are turned off. You can restore the field with its values for{' '}
        {customFieldLimits.daysToRestore} days; then the values are deleted. Rules stay off until you turn them on again.
      </li>
    </Points>
  </DocsSection>
);

const Deletion = () => (
  <DocsSection title="Deleting your organization">
    <p>
      Under “Delete organization” in <SettingsLink section="organization" />, an administrator enters the name of the organization and their
      password. {deletionRules.days} days later, all data and the accounts of all members are deleted. This can’t be undone.
    </p>
    <Points>
      <li>
        Until then, everything works as usual. Administrators see the date on every page, and each of them can cancel with one click.
        Nothing is deleted then.
      </li>
      <li>
        All administrators get an email about the request, {deletionRules.reminderDays} days before the deletion, and if it’s cancelled. All
        members get one when it’s complete.
      </li>
      <li>
        If you sign in with single sign-on and have no password, set one with “Forgot your password?” first. You sign in again afterwards.
      </li>
      <li>
        Emails that were sent, tasks in your task tool and backups of the installation stay. Your subdomain becomes available to others.
      </li>
      <li>API tokens can neither request nor cancel a deletion.</li>
    </Points>
  </DocsSection>
);

export const Organization = () => (
  <>
    <DocsSection title="Settings">
      <p>Only administrators can change the settings. This is where you find each of them:</p>
      <DocsTable caption="Settings" isCode={false} head={['Setting', 'Where', 'Good to know']} rows={settings} />
    </DocsSection>
    <DocsSection title="Branding">
      <p>
        <SettingsLink section="branding" /> sets colors, logo, icon and style sheet of your portal, and the header and footer of emails to
        customers. “Hide Powered by Tandem” removes our name from the portal, the widget and emails. Logo and icon have at most 512 KB; SVG
        is not accepted.
      </p>
    </DocsSection>
    <DocsSection title="SLA">
      <p>
        A policy in <SettingsLink section="sla" /> sets how soon tickets of one priority must be answered and resolved. Each priority has at
        most one active policy.
      </p>
      <Points>
        <li>
          A new policy has {slaDefaults.response_time_hours} hours for the first response, {slaDefaults.resolution_time_hours} for the
          resolution, and escalates after {slaDefaults.escalation_time_hours}.
        </li>
        <li>Timers pause while a ticket waits for its customer, outside of business hours and on holidays.</li>
        <li>The team is warned after 80% of the time, and when the due time has passed.</li>
        <li>An escalation notifies administrators, managers and the assignee, and marks the ticket.</li>
        <li>A changed policy applies to new tickets, and to tickets whose priority changes.</li>
      </Points>
    </DocsSection>
    <CustomFields />
    <DocsSection title="Customers">
      <p>
        Under “Customer replies and lookup” in <SettingsLink section="portal" />, choose what a reply to a resolved ticket does: nothing
        (it’s refused), it reopens the ticket, or it creates a new, linked one. The choice applies to the portal, the widget and email.
      </p>
      <p>
        Customers get links to their tickets by email. You can show tickets on the lookup page instead, to anyone who knows address and
        number.
      </p>
    </DocsSection>
    <Languages />
    <Email />
    <Deletion />
  </>
);
