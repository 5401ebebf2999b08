import { useState, type SyntheticEvent } from 'react';
import { notify } from '../../lib/notify';
import { Button } from '../../ui/Button';
import { EmailField } from './EmailField';
import { useTexts } from './language/texts';
import { PortalHeading, portalForm, portalSubmit } from './PortalFrame';
import { showErrors } from './show-errors';

interface EmailFormProps {
  title: string;
  explanation: string;
  action: string;
  onEmail: (email: string) => void;
}

/** Asks for the email address if the link did not contain it: customers need it together with the id to open a ticket. */
export function EmailForm({ title, explanation, action, onEmail }: EmailFormProps) {
  const t = useTexts();
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (email.trim() !== '') {
      onEmail(email.trim());
      return;
    }
    showErrors(event.currentTarget, () => setError(t('email.missing')));
    notify.error(t('email.missing'), t('email.missing_title'));
  };
  return (
    <>
      <PortalHeading title={title}>{explanation}</PortalHeading>
      <form noValidate onSubmit={submit} className={portalForm}>
        <EmailField value={email} onChange={setEmail} error={error} />
        <Button type="submit" variant="primary" size="lg" className={portalSubmit}>
          {action}
        </Button>
      </form>
    </>
  );
}
