import { useState, type SyntheticEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { ChosenTeam } from './ChosenTeam';
import { EmailField } from './EmailField';
import { emailMissing } from './EmailForm';
import { PortalFrame, PortalHeading, portalForm, portalInput, portalSubmit, portalTextLink } from './PortalFrame';
import { showErrors } from './show-errors';

/** /ticket-status/check: asks for the email address, and optionally for the ticket number. */
export function CheckTicketStatusPage() {
  const [email, setEmail] = useState('');
  const [ticket, setTicket] = useState('');
  const [error, setError] = useState<string>();
  const navigate = useNavigate();
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (email.trim() === '') {
      showErrors(event.currentTarget, () => setError(emailMissing));
      notify.error(emailMissing, 'Missing Information');
      return;
    }
    void navigate(`/ticket-status/lookup?${new URLSearchParams({ email: email.trim(), ticket: ticket.trim() }).toString()}`);
  };
  return (
    <ChosenTeam question="Which team did you write to?">
      <PortalFrame title="Check ticket status">
        <PortalHeading title="Check Ticket Status">We’ll email you links to your tickets.</PortalHeading>
        <form noValidate onSubmit={submit} className={portalForm}>
          <EmailField value={email} onChange={setEmail} error={error} />
          <Field label="Ticket number" optional hint="You’ll find it in our emails, e.g. ORG-0001.">
            {(control) => (
              <input
                {...control}
                className={portalInput}
                value={ticket}
                maxLength={20}
                onChange={(event) => setTicket(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" variant="primary" size="lg" className={portalSubmit}>
            Check status
          </Button>
        </form>
        <p className="mt-8 text-muted">
          No ticket yet?{' '}
          <Link to="/submit-ticket" className={portalTextLink}>
            Submit a ticket
          </Link>
        </p>
      </PortalFrame>
    </ChosenTeam>
  );
}
