import { useState, type SyntheticEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { ChosenTeam } from './ChosenTeam';
import { EmailField } from './EmailField';
import { Rich } from '../../ui/Rich';
import { useTexts } from './language/texts';
import { PortalFrame, PortalHeading, portalForm, portalInput, portalSubmit, portalTextLink } from './PortalFrame';
import { showErrors } from './show-errors';

/** /ticket-status/check: asks for the email address, and optionally for the ticket number. */
export function CheckTicketStatusPage() {
  const t = useTexts();
  const [email, setEmail] = useState('');
  const [ticket, setTicket] = useState('');
  const [error, setError] = useState<string>();
  const navigate = useNavigate();
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (email.trim() === '') {
      showErrors(event.currentTarget, () => setError(t('email.missing')));
      notify.error(t('email.missing'), t('email.missing_title'));
      return;
    }
    void navigate(`/ticket-status/lookup?${new URLSearchParams({ email: email.trim(), ticket: ticket.trim() }).toString()}`);
  };
  return (
    <ChosenTeam question={t('check.team_question')}>
      <PortalFrame title={t('check.page')}>
        <PortalHeading title={t('check.title')}>{t('check.text')}</PortalHeading>
        <form noValidate onSubmit={submit} className={portalForm}>
          <EmailField value={email} onChange={setEmail} error={error} />
          <Field label={t('check.number')} optional hint={t('check.number_hint')}>
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
            {t('check.send')}
          </Button>
        </form>
        <p className="mt-8 text-muted">
          <Rich
            text={t('check.no_ticket')}
            tags={{
              link: (inside) => (
                <Link to="/submit-ticket" className={portalTextLink}>
                  {inside}
                </Link>
              ),
            }}
          />
        </p>
      </PortalFrame>
    </ChosenTeam>
  );
}
