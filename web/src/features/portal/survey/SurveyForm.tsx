import type { PublicSurvey } from '@tandem/contracts';
import { submitSurvey } from '@tandem/contracts/endpoints';
import { surveyFeedbackLimit, surveyRatings } from '@tandem/contracts/values';
import { useState, type SyntheticEvent } from 'react';
import { call } from '../../../lib/call';
import { send } from '../../../lib/http';
import { notify } from '../../../lib/notify';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { useDraft } from '../draft';
import { isDecided, useSubmissionKey } from '../portal';
import { Rich } from '../../../ui/Rich';
import { useTexts } from '../language/texts';
import { PortalHeading, portalForm, portalSubmit, portalTextarea } from '../PortalFrame';
import { refusalOf } from '../refusal';
import { showErrors } from '../show-errors';
import { RatingField } from './RatingField';

const ratingOf = (text: string | null): number | undefined => surveyRatings.find((rating) => String(rating) === text);

/** The emailed link sets the initial rating. Opening another link overrides the current choice, reloading the same one does not. */
function useSurveyDraft(ticketId: string, linked: string) {
  const [draft, change, clear] = useDraft(`survey:${ticketId}`, { rating: '', feedback: '', linked: '' });
  const [isNewLink, setIsNewLink] = useState(linked !== '' && linked !== draft.linked);
  const rating = ratingOf(isNewLink ? linked : draft.rating);
  const rate = (chosen: number) => {
    setIsNewLink(false);
    change({ rating: String(chosen), linked });
  };
  return { rating, rate, feedback: draft.feedback, write: (feedback: string) => change({ feedback }), clear };
}

interface SurveyFormProps {
  ticket: PublicSurvey['ticket'];
  email: string;
  linkedRating: string;
  onSubmitted: (survey: PublicSurvey) => void;
  onAlreadySubmitted: () => void;
}

function useSurveyForm({ ticket, email, linkedRating, onSubmitted, onAlreadySubmitted }: SurveyFormProps) {
  const t = useTexts();
  const { clear, ...draft } = useSurveyDraft(ticket.id, linkedRating);
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submission = useSubmissionKey();
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { rating, feedback } = draft;
    setFailure(undefined);
    showErrors(event.currentTarget, () => setError(rating === undefined ? t('survey.missing') : undefined));
    if (rating === undefined) notify.error(t('survey.missing'), t('survey.missing_title'));
    if (rating === undefined || busy) return;
    setBusy(true);
    const { data, problem } = await send(
      call(submitSurvey, {
        params: { ticketId: ticket.id },
        body: { email, rating, feedback },
        headers: { 'idempotency-key': submission.key },
      }),
    );
    setBusy(false);
    if (!problem) {
      clear();
      onSubmitted(data);
    } else if (problem.code === 'survey.already_submitted') {
      onAlreadySubmitted();
    } else {
      if (isDecided(problem)) submission.renew();
      setFailure(problem.errors?.[0]?.message ?? refusalOf(problem, t));
      notify.error(t('survey.failed'));
    }
  };
  return { ...draft, error, failure, busy, submit };
}

/** The rating and an optional comment. */
export function SurveyForm(props: SurveyFormProps) {
  const t = useTexts();
  const { ticket_number, subject } = props.ticket;
  const { rating, rate, feedback, write, error, failure, busy, submit } = useSurveyForm(props);
  return (
    <>
      <PortalHeading title={t('survey.title')}>
        <Rich
          text={t('survey.ticket', { number: ticket_number })}
          tags={{ number: (inside) => <span className="tabular">{inside}</span>, subject: () => <bdi>{subject}</bdi> }}
        />
      </PortalHeading>
      <form noValidate onSubmit={(event) => void submit(event)} className={portalForm}>
        <RatingField value={rating} onChange={rate} error={rating === undefined ? error : undefined} />
        <Field label={t('survey.feedback')} optional hint={t('survey.feedback_hint')}>
          {(control) => (
            <textarea
              {...control}
              name="feedback"
              className={portalTextarea}
              value={feedback}
              maxLength={surveyFeedbackLimit}
              onChange={(event) => write(event.target.value)}
            />
          )}
        </Field>
        {failure && <Alert tone="destructive">{failure}</Alert>}
        <Button type="submit" variant="primary" size="lg" busy={busy} className={portalSubmit}>
          {busy ? t('survey.sending') : t('survey.send')}
        </Button>
      </form>
    </>
  );
}
