import type { ComponentProps } from 'react';
import { SettingsPage } from '../features/settings/SettingsPage';
import { page } from './lazy-page';

const OrganizationPanel = page(() => import('../features/team/OrganizationPanel'), 'OrganizationPanel');
const PortalPanel = page(() => import('../features/team/OrganizationPanel'), 'PortalPanel');
const SignInPanel = page(() => import('../features/team/OrganizationPanel'), 'SignInPanel');
const SsoCard = page(() => import('../features/auth/sso/SsoCard'), 'SsoCard');
const IntegrationPanel = page(() => import('../features/integration/IntegrationPanel'), 'IntegrationPanel');

/** The panels of the settings that belong to other features. */
const panels = {
  organization: <OrganizationPanel />,
  portal: <PortalPanel />,
  integrations: <IntegrationPanel />,
  signIn: (
    <div className="flex flex-col gap-5">
      <SignInPanel />
      <div className="after-skeletons">
        <SsoCard />
      </div>
    </div>
  ),
};

/** The settings, with the panels of other features: features do not import each other. */
export const SettingsRoute = (props: Omit<ComponentProps<typeof SettingsPage>, keyof typeof panels>) => (
  <SettingsPage {...props} {...panels} />
);
