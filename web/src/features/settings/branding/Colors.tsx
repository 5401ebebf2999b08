import { brandingDefaults, brandingRules, buttonColors } from '@tandem/contracts/values';
import { t } from '../../../lib/staff-texts';
import { useIsDark } from '../../../lib/theme';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import type { PartProps } from './branding-draft';

/** Preview of a button in this color on the public pages, which adjust the color if its text would be unreadable. */
function Sample({ color }: { color: string }) {
  const scheme = useIsDark() ? 'dark' : 'light';
  const button = buttonColors(color, scheme);
  if (!button) return null;
  const isKept = button.area.toLowerCase() === color.toLowerCase();
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span aria-hidden className="rounded-md px-2 py-0.5 font-medium" style={{ backgroundColor: button.area, color: button.ink }}>
        {t('settings.branding.send')}
      </span>
      <span role="status">{isKept ? t('settings.branding.preview_of_button') : t('settings.branding.shade_is_adjusted')}</span>
    </span>
  );
}

interface ColorProps extends PartProps {
  label: string;
  name: keyof typeof brandingDefaults;
}
function Color({ label, name, draft, set, errorOf }: ColorProps) {
  const color = draft[name];
  const isColor = brandingRules.color.test(color);
  return (
    <Field
      label={label}
      className="max-w-sm"
      error={isColor ? errorOf(name) : t('settings.branding.use_color_like_count_3b82f6')}
      hint={isColor && <Sample color={color} />}
    >
      {(control) => (
        <span className="flex items-center gap-2">
          <input
            type="color"
            aria-label={t('settings.branding.pick_label', { label: label.toLowerCase() })}
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
            <Button
              variant="ghost"
              aria-label={t('settings.branding.reset_label', { label: label.toLowerCase() })}
              onClick={() => set({ [name]: brandingDefaults[name] })}
            >
              {t('settings.branding.reset')}
            </Button>
          )}
        </span>
      )}
    </Field>
  );
}

export const Colors = (part: PartProps) => (
  <>
    <Color label={t('settings.branding.primary_color')} name="primary_color" {...part} />
    <Color label={t('settings.branding.secondary_color')} name="secondary_color" {...part} />
  </>
);
