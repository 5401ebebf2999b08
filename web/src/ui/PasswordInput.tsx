import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { t } from '../lib/staff-texts';
import { Input } from './Input';

/** A password field with a button that shows the password. */
export function PasswordInput(props: ComponentProps<typeof Input>) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-10" />
      <button
        type="button"
        onClick={() => setShown(!shown)}
        aria-label={shown ? t('ui.hide_password') : t('ui.show_password')}
        className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-r-md text-muted -outline-offset-2 hover:text-ink [&_svg]:size-4"
      >
        {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </button>
    </div>
  );
}
