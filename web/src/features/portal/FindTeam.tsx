import { findPortal } from '@tandem/contracts/endpoints';
import { useState, type SyntheticEvent } from 'react';
import { useLocation } from 'react-router-dom';
import { call } from '../../lib/call';
import { read } from '../../lib/http';
import { redirectOut } from '../../lib/redirect-out';
import { messageOf, type ApiProblem } from '../../lib/problem';
import { AuthFrame } from '../../ui/AuthFrame';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { useDocumentTitle } from '../../ui/PageHeader';
import { useTexts, type PortalTranslate } from './language/texts';
import { portalForm, portalInput } from './PortalFrame';
import { showErrors } from './show-errors';

const refusalOf = (problem: ApiProblem, t: PortalTranslate): string =>
  problem.status === 404 ? t('team.unknown') : (problem.errors?.[0]?.message ?? messageOf(problem, ''));

/** Asks for the team's address and opens the same page of its portal. */
export function FindTeam({ question }: { question: string }) {
  const t = useTexts();
  useDocumentTitle(t('team.page'));
  const { pathname } = useLocation();
  const [team, setTeam] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy) return;
    if (team.trim() === '') return showErrors(form, () => setError(t('team.missing')));
    setBusy(true);
    const answer = await read(call(findPortal, { query: { team: team.trim() } }));
    setBusy(false);
    if (answer.problem) return showErrors(form, () => setError(refusalOf(answer.problem, t)));
    redirectOut(answer.data.url + pathname);
  };
  return (
    <AuthFrame title={question}>
      <form noValidate onSubmit={(event) => void submit(event)} className={portalForm}>
        <Field label={t('team.address')} required error={error} hint={t('team.hint')}>
          {(control) => (
            <div className="relative flex items-center">
              <input
                {...control}
                className={portalInput}
                value={team}
                maxLength={300}
                placeholder={t('team.example')}
                dir="ltr"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                onChange={(event) => {
                  setTeam(event.target.value);
                  setError(undefined);
                }}
              />
              {!team.includes('.') && (
                <span aria-hidden dir="ltr" className="pointer-events-none absolute right-3 max-w-1/2 truncate text-base text-muted">
                  .{location.host}
                </span>
              )}
            </div>
          )}
        </Field>
        <Button type="submit" variant="primary" size="lg" busy={isBusy} className="h-11 w-full text-base!">
          {t('team.continue')}
        </Button>
      </form>
    </AuthFrame>
  );
}
