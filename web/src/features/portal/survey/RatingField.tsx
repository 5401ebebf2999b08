import { surveyRatings } from '@tandem/contracts/values';
import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import { useTexts } from '../language/texts';

interface RatingFieldProps {
  value: number | undefined;
  onChange: (rating: number) => void;
  error: string | undefined;
}

/** Five labeled ratings, built on native radio buttons for the usual keyboard and screen reader support. */
export function RatingField({ value, onChange, error }: RatingFieldProps) {
  const id = useId();
  const t = useTexts();
  const errorId = error ? `${id}-error` : undefined;
  return (
    <fieldset role="radiogroup" aria-labelledby={id} aria-required aria-invalid={error ? true : undefined} aria-describedby={errorId}>
      <legend id={id} className="mb-2 font-medium">
        {t('survey.question')}
      </legend>
      <div className="grid grid-cols-5 gap-1.5 sm:gap-2">
        {surveyRatings.map((rating) => (
          <label
            key={rating}
            className="relative flex min-h-18 cursor-pointer flex-col items-center gap-1 rounded-md border border-control/60 bg-surface px-0.5 pt-2.5 pb-2 text-center transition-colors hover:border-control has-checked:border-accent-text has-checked:bg-accent-soft has-checked:text-accent-text has-checked:ring-1 has-checked:ring-accent-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name="rating"
              value={rating}
              checked={value === rating}
              aria-label={t('survey.rating', { rating, label: t(`rating.${rating}`) })}
              onChange={() => onChange(rating)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <span aria-hidden className="tabular text-xl font-semibold">
              {rating}
            </span>
            <span aria-hidden className="text-xs leading-tight sm:text-md">
              {t(`rating.${rating}`)}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={errorId} className="mt-1.5 flex items-center gap-1 text-red-text">
          <CircleAlert className="size-3.5 shrink-0" aria-hidden />
          {error}
        </p>
      )}
    </fieldset>
  );
}
