import { ArrowLeftRight, ChartNoAxesColumn, Layers, type LucideIcon, Plug, ShieldCheck, Workflow, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../../lib/cn';
import { Section } from './layout';
import { SyncBoard } from './SyncBoard';

export const Features = () => (
  <Section
    id="features"
    title="One conversation, two ways to work on it"
    lead="Support answers in Tandem, everyone else works where they always did. No more copy and paste."
  >
    <ul className="grid gap-px overflow-hidden rounded-xl border bg-line md:grid-cols-2 lg:grid-cols-3">
      <Feature icon={ArrowLeftRight} title="Real-time sync" wide picture={<SyncBoard />}>
        Each ticket becomes a task, and the sync runs both ways. Change the status on either side and the other follows, mapped to your own
        statuses.
      </Feature>
      <Feature icon={ChartNoAxesColumn} title="Analytics">
        First response, time to resolution, satisfaction and missed targets, over 7, 30 or 90 days. Spot bottlenecks before your customers
        do.
      </Feature>
      <Feature icon={Zap} title="Automation">
        Every ticket gets its number, its task and its confirmation email automatically. Your team goes straight to answering.
      </Feature>
      <Feature icon={Workflow} title="Custom workflows">
        Your lists, your priorities, your service levels. Tandem adapts to how your team works.
      </Feature>
      <Feature icon={Layers} title="Unlimited scale">
        From the first ticket to the hundred-thousandth, lists stay quick and search stays instant.
      </Feature>
      <Feature icon={ShieldCheck} title="Enterprise security">
        Every organization’s data is isolated from all others. Roles, idle sign-out and rate limits are on from the start.
      </Feature>
      <Feature icon={Plug} title="Widget or API" wide picture={<ApiCall />}>
        Put the widget on your site, share the support page, or send tickets from your own product. They all arrive in the same list.
      </Feature>
    </ul>
  </Section>
);

interface FeatureProps {
  icon: LucideIcon;
  title: string;
  wide?: boolean;
  picture?: ReactNode;
  children: ReactNode;
}
const Feature = ({ icon: Icon, title, wide, picture, children }: FeatureProps) => (
  <li className={cn('flex min-w-0 flex-col gap-x-10 gap-y-8 bg-surface p-6 sm:p-8', wide && 'md:col-span-2 md:flex-row')}>
    <div className="min-w-0 flex-1">
      <Icon className="size-5 text-accent-text" strokeWidth={1.75} aria-hidden />
      <h3 className="mt-4 text-lg font-semibold tracking-tight">{title}</h3>
      <p className="mt-2 max-w-[38ch] text-base text-pretty text-muted">{children}</p>
    </div>
    {picture && <div className="w-full min-w-0 md:w-[46%]">{picture}</div>}
  </li>
);

const call = `POST /api/v1/tickets
Authorization: Bearer …

{
  "subject": "Charged twice",
  "customer_email": "jonas@example.com",
  "priority": "high"
}`;

const ApiCall = () => (
  <pre
    tabIndex={0}
    aria-label="Creating a ticket through the API"
    className="overflow-x-auto rounded-lg border bg-sunken p-4 font-mono text-xs leading-5 text-ink"
  >
    <code>{call}</code>
  </pre>
);
