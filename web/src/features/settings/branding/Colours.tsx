import { brandingDefaults, brandingRules } from '@tandem/contracts/values';
import { TriangleAlert } from 'lucide-react';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { contrastWithWhite, enoughContrast } from './contrast';
import type { PartProps } from './branding-draft';

/** What white words on the colour look like, and how well they can be read. */
function Contrast({ color }: { color: string }) {
  const ratio = contrastWithWhite(color);
  const isEnough = ratio >= enoughContrast;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span aria-hidden className="rounded-md px-2 py-0.5 font-medium text-white" style={{ backgroundColor: color }}>
        Send
      </span>
      <span role="status" className="flex items-center gap-1">
        {!isEnough && <TriangleAlert className="size-3.5 text-amber-text" aria-hidden />}
        White text has a contrast of {ratio.toFixed(1)} : 1{isEnough ? '.' : `, which is hard to read. Aim for ${enoughContrast} : 1.`}
      </span>
    </span>
  );
}

interface ColourProps extends PartProps {
  label: string;
  name: keyof typeof brandingDefaults;
}
function Colour({ label, name, draft, set, errorOf }: ColourProps) {
  const color = draft[name];
  const isColor = brandingRules.color.test(color);
  return (
    <Field
      label={label}
      className="max-w-sm"
      error={isColor ? errorOf(name) : 'Use a colour like #3B82F6'}
      hint={isColor && <Contrast color={color} />}
    >
      {(control) => (
        <span className="flex items-center gap-2">
          <input
            type="color"
            aria-label={`Pick the ${label.toLowerCase()}`}
            value={isColor ? color.toLowerCase() : brandingDefaults[name].toLowerCase()}
            onChange={(event) => set({ [name]: event.target.value.toUpperCase() })}
            className="h-8 w-10 shrink-0 cursor-pointer rounded-md border border-control/60 bg-surface p-0.5 touch:h-10"
          />
          <Input
            {...control}
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            maxLength={7}
            value={color}
            onChange={(event) => set({ [name]: event.target.value.trim() })}
          />
          {color.toUpperCase() !== brandingDefaults[name] && (
            <Button variant="ghost" aria-label={`Reset the ${label.toLowerCase()}`} onClick={() => set({ [name]: brandingDefaults[name] })}>
              Reset
            </Button>
          )}
        </span>
      )}
    </Field>
  );
}

export const Colours = (part: PartProps) => (
  <>
    <Colour label="Primary colour" name="primary_color" {...part} />
    <Colour label="Secondary colour" name="secondary_color" {...part} />
  </>
);
