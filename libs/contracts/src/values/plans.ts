/** What a plan includes; null is unlimited. */
export interface Plan {
  name: string;
  members: number | null;
  tickets_per_month: number | null;
}

/** Nothing is refused beyond a plan, because customers' tickets must not be lost: operators of the installation see the use of each. */
export const plans = {
  starter: { name: 'Starter', members: 3, tickets_per_month: 100 },
  professional: { name: 'Professional', members: 10, tickets_per_month: 500 },
  enterprise: { name: 'Enterprise', members: null, tickets_per_month: null },
} as const satisfies Record<string, Plan>;
export type PlanName = keyof typeof plans;
export const planNames = Object.keys(plans) as PlanName[];
