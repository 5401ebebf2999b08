import { roleTexts } from '../../../lib/roles';
import { DocsSection, Points, SettingsLink, Steps } from '../DocsSection';
import { DocsTable } from '../DocsTable';

export const UserManagement = () => (
  <>
    <DocsSection title="Roles">
      <DocsTable
        caption="Roles"
        isCode={false}
        head={['Role', 'Permissions']}
        rows={Object.values(roleTexts).map(({ name, description }) => [name, description])}
      />
      <p>
        Agents can open every ticket of the organization, not only their own, so that they can help each other. An organization always has
        an active administrator: the last one can’t be deactivated or get another role.
      </p>
    </DocsSection>
    <DocsSection title="Invite members">
      <Steps>
        <li>
          In <SettingsLink section="members" />, go to “Invite a team member”.
        </li>
        <li>Enter the email address and choose a role. Agent is the default.</li>
        <li>Choose Send invitation. The link in the email works once, for 7 days.</li>
      </Steps>
      <Points>
        <li>The invited person signs in, or signs up, with exactly this email address. They can’t belong to another organization.</li>
        <li>Pending invitations are listed there. You can resend one, which replaces its link, or cancel it.</li>
      </Points>
    </DocsSection>
    <DocsSection title="Change roles and deactivate members">
      <Points>
        <li>Choose another role next to the member’s name. It takes effect within seconds.</li>
        <li>
          Turn off the switch next to the name to deactivate a member, for example when they leave. They’re signed out everywhere, and their
          open tickets become unassigned or go to other agents.
        </li>
        <li>Deactivated members keep their name in conversations and in the audit log. Turn the switch on to reactivate them.</li>
      </Points>
    </DocsSection>
  </>
);
