import { limits, passwordRules, sessionRules } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';
import { docsLink, DocsSection, Points, SettingsLink, Steps } from '../DocsSection';

const minutes = (seconds: number) => seconds / 60;

export const Security = () => (
  <>
    <DocsSection title="Two-factor sign-in">
      <p>We recommend two-factor sign-in for all administrators.</p>
      <Steps>
        <li>
          In{' '}
          <Link to="/account" className={docsLink}>
            your account
          </Link>
          , set up two-factor sign-in with an authenticator app, and store the ten recovery codes.
        </li>
        <li>
          Under “Sign-in rules” in <SettingsLink section="signIn" />, turn on “Require two-factor sign-in for admins”. Other administrators
          set it up at their next sign-in.
        </li>
      </Steps>
      <p>If a member has lost their device and recovery codes, choose Reset two-factor in the menu next to their name.</p>
    </DocsSection>
    <DocsSection title="Single sign-on">
      <p>
        In <SettingsLink section="signIn" />, connect your OpenID provider. Add the redirect address that the page shows to the provider.
        Single sign-on needs a subdomain.
      </p>
    </DocsSection>
    <DocsSection title="Sessions">
      <Points>
        <li>
          Members are signed out after {sessionRules.idleMinutes} minutes without activity, with a warning {sessionRules.warningMinutes}{' '}
          minutes before, and {sessionRules.absoluteHours} hours after they signed in.
        </li>
        <li>Everyone can see and end their sessions on other devices in their account.</li>
        <li>A new password ends all other sessions.</li>
      </Points>
    </DocsSection>
    <DocsSection title="Passwords and failed sign-ins">
      <Points>
        <li>A password has at least {passwordRules.minLength} characters, and can’t be a common one.</li>
        <li>
          After {limits.login.limit} failed sign-ins within {minutes(limits.login.windowSeconds)} minutes, the account is blocked for{' '}
          {minutes(limits.login.blockSeconds)} minutes. Setting a new password with the emailed link ends the block.
        </li>
      </Points>
    </DocsSection>
    <DocsSection title="Audit log">
      <p>
        <SettingsLink section="audit" /> records who changed access, the team or settings, when and from where, with the values before and
        after. You can filter it and download it as CSV. Entries can’t be changed, and are deleted after 400 days.
        <SettingsLink section="security" /> shows unusual events in your own browser.
      </p>
    </DocsSection>
    <DocsSection title="Internal notes">
      <p>Internal notes never leave your team: they’re not on public pages, in emails to customers or in task tools.</p>
    </DocsSection>
  </>
);
