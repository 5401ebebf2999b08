import { cn } from '../../lib/cn';
import { t } from '../../lib/staff-texts';

interface Side {
  label: string;
  text: string;
}
const linesOf = (text: string) => text.split('\n');

/** One text, with the lines that the other does not contain highlighted. */
function Lines({ label, text, other, tone }: Side & { other: string; tone: string }) {
  const known = new Set(linesOf(other));
  return (
    <section aria-label={label} className="min-w-0 flex-1 rounded-md border">
      <h3 className="border-b px-3 py-1.5 text-xs font-medium text-muted">{label}</h3>
      <div dir="auto" className="px-3 py-2 font-mono text-xs leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap">
        {linesOf(text).map((line, index) => {
          const isOnlyHere = line.trim() !== '' && !known.has(line);
          const Line = isOnlyHere ? 'mark' : 'span';
          return (
            <Line key={index} className={cn('block min-h-[1lh] rounded-xs text-ink', isOnlyHere && tone)}>
              {line}
            </Line>
          );
        })}
      </div>
    </section>
  );
}

/** Two texts side by side, below each other on phones. */
export const TextComparison = ({ before, after }: { before: Side; after: Side }) => (
  <>
    <p className="mb-2 text-xs text-muted">
      {before.text === after.text ? t('articles.texts_are_the_same') : t('articles.how_texts_are_compared')}
    </p>
    <div className="flex gap-3 max-md:flex-col">
      <Lines {...before} other={after.text} tone="bg-red-soft" />
      <Lines {...after} other={before.text} tone="bg-green-soft" />
    </div>
  </>
);
