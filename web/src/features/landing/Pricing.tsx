import { Check } from 'lucide-react';
import { cn } from '../../lib/cn';
import { Badge } from '../../ui/Badge';
import { Section } from './layout';

interface Plan {
  name: string;
  forWhom: string;
  /** US dollars per month. */
  price: number;
  includes: string[];
  isPopular?: boolean;
}

/** Display only. */
const plans: Plan[] = [
  {
    name: 'Starter',
    forWhom: 'For small teams getting started',
    price: 29,
    includes: ['100 tickets per month', '3 team members'],
  },
  {
    name: 'Professional',
    forWhom: 'For growing support teams',
    price: 79,
    includes: ['500 tickets per month', '10 team members'],
    isPopular: true,
  },
  {
    name: 'Enterprise',
    forWhom: 'For larger teams that need SLAs',
    price: 149,
    includes: ['Unlimited tickets', 'Unlimited team members', 'SLA management', 'White-label branding', 'Dedicated success manager'],
  },
];
const annualSaving = 0.2;
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

export const Pricing = () => (
  <Section
    id="pricing"
    title="One price for the team, not per seat"
    lead="Try everything free for 14 days. No credit card, cancel anytime, and you save 20% with annual billing."
  >
    <ul className="grid gap-4 lg:grid-cols-3 lg:gap-0">
      {plans.map((plan) => (
        <PlanCard key={plan.name} plan={plan} />
      ))}
    </ul>
    <p className="mt-8 max-w-[60ch] text-base text-pretty text-muted">
      Two-way sync, the support page, the widget and the API come with every plan. Prices are in US dollars.
    </p>
  </Section>
);

const PlanCard = ({ plan: { name, forWhom, price, includes, isPopular } }: { plan: Plan }) => (
  <li
    aria-label={name}
    className={cn(
      'flex flex-col rounded-xl border bg-surface p-6 sm:p-8',
      isPopular
        ? 'border-2 border-accent lg:-my-4 lg:py-12'
        : 'lg:first:rounded-r-none lg:first:border-r-0 lg:last:rounded-l-none lg:last:border-l-0',
    )}
  >
    <div className="flex items-center justify-between gap-3">
      <h3 className="text-lg font-semibold tracking-tight">{name}</h3>
      {isPopular && (
        <Badge tone="accent" className="h-6 px-2">
          Most Popular
        </Badge>
      )}
    </div>
    <p className="mt-1 text-base text-pretty text-muted">{forWhom}</p>
    <p className="mt-6 flex items-baseline gap-1.5">
      <span className="tabular text-4xl font-semibold tracking-[-0.04em]">${price}</span>
      <span className="text-base text-muted">per month</span>
    </p>
    <p className="tabular mt-1 text-md text-muted">or {dollars.format(price * (1 - annualSaving))} per month, billed annually</p>
    <ul className="mt-6 flex flex-col gap-3 border-t pt-6">
      {includes.map((item) => (
        <li key={item} className="flex gap-2.5 text-base">
          <Check className="mt-1 size-4 shrink-0 text-accent-text" aria-hidden />
          {item}
        </li>
      ))}
    </ul>
  </li>
);
