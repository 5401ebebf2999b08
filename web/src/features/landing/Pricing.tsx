import { plans as planLimits } from '@tandem/contracts/values';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Section } from './layout';

interface Plan {
  name: string;
  forWhom: string;
  /** US dollars per month. */
  price: number;
  includes: string[];
  isPopular?: boolean;
}

const included = (name: 'starter' | 'professional') => [
  `${planLimits[name].tickets_per_month} tickets per month`,
  `${planLimits[name].members} team members`,
];

const plans: Plan[] = [
  {
    name: 'Starter',
    forWhom: 'For small teams getting started',
    price: 29,
    includes: included('starter'),
  },
  {
    name: 'Professional',
    forWhom: 'For growing support teams',
    price: 79,
    includes: included('professional'),
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
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' });

type Billing = 'monthly' | 'annual';

export function Pricing() {
  const [billing, setBilling] = useState<Billing>('monthly');
  return (
    <Section
      id="pricing"
      title="One price for the team, not per seat"
      lead="Try everything free for 14 days. No credit card, cancel anytime, and you save 20% with annual billing."
    >
      <BillingSwitch billing={billing} onChange={setBilling} />
      <ul className="grid gap-4 lg:grid-cols-3 lg:gap-0">
        {plans.map((plan) => (
          <PlanCard key={plan.name} plan={plan} billing={billing} />
        ))}
      </ul>
      <p className="mt-8 max-w-[60ch] text-base text-pretty text-muted">
        Two-way sync, the support page, the widget and the API come with every plan. Prices are in US dollars.
      </p>
    </Section>
  );
}

/** Radio buttons that look like a segmented control. */
const BillingSwitch = ({ billing, onChange }: { billing: Billing; onChange: (billing: Billing) => void }) => (
  <fieldset className="mb-8 flex w-fit rounded-lg border bg-surface p-1 lg:mb-12">
    <legend className="sr-only">Billing</legend>
    {(['monthly', 'annual'] as const).map((each) => (
      <label
        key={each}
        className="relative flex h-10 cursor-pointer items-center gap-2 rounded-md px-4 text-base text-muted has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-focus"
      >
        <input type="radio" name="billing" className="sr-only" checked={billing === each} onChange={() => onChange(each)} />
        {each === 'monthly' ? 'Monthly' : 'Annual, save 20%'}
      </label>
    ))}
  </fieldset>
);

const PlanCard = ({ plan: { name, forWhom, price, includes, isPopular }, billing }: { plan: Plan; billing: Billing }) => (
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
      <span className="tabular text-4xl font-semibold tracking-[-0.04em]">
        {dollars.format(billing === 'monthly' ? price : price * (1 - annualSaving))}
      </span>
      <span className="text-base text-muted">per month</span>
    </p>
    <p className="tabular mt-1 text-md text-muted">
      {billing === 'monthly' ? 'billed monthly' : `${dollars.format(price * (1 - annualSaving) * 12)} per year, billed annually`}
    </p>
    <Button asChild variant={isPopular ? 'primary' : 'secondary'} size="lg" className="mt-6 h-11">
      <Link to="/auth?tab=sign-up" aria-label={`Start free trial of ${name}`}>
        Start free trial
      </Link>
    </Button>
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
