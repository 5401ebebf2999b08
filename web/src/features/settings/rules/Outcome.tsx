import type { RuleRun } from '@tandem/contracts';
import { TriangleAlert } from 'lucide-react';
import { Badge } from '../../../ui/Badge';
import { outcomeTexts, problemLabels } from './outcome-labels';
import type { RuleNames } from './rule-labels';

interface OutcomeProps {
  outcome: Pick<RuleRun, 'changes' | 'effects' | 'problem'>;
  names: RuleNames;
  /** `planned`: in a test. */
  tense: 'done' | 'planned';
}

/** What a rule did to a ticket, as one badge per change, and what it left out. */
export function Outcome({ outcome, names, tense }: OutcomeProps) {
  return (
    <>
      <ul className="flex flex-wrap gap-1">
        {outcomeTexts(outcome, names, tense).map((text, index) => (
          <li key={index} className="flex max-w-full">
            <Badge tone="plain" title={text}>
              <span className="truncate">{text}</span>
            </Badge>
          </li>
        ))}
      </ul>
      {outcome.problem && (
        <p className="flex items-center gap-1.5 text-xs text-red-text">
          <TriangleAlert className="size-3.5 shrink-0" aria-hidden />
          {problemLabels[outcome.problem]}
        </p>
      )}
    </>
  );
}
