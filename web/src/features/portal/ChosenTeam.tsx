import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { readSite } from '../../lib/site';
import { FindTeam } from './FindTeam';

/**
 * Renders a portal page once its organization is known: the product's own host has none, so visitors enter their team's address first. On
 * localhost, which serves the first organization, only the links of the landing page ask for it.
 */
export function ChosenTeam({ question, children }: { question: string; children: ReactNode }) {
  const { kind, organization } = readSite();
  const state = useLocation().state as { asksTeam?: boolean } | null;
  const isOpen = kind === 'product' && (organization === null || state?.asksTeam === true);
  return isOpen ? <FindTeam question={question} /> : children;
}
