import { rateArticle } from '@tandem/contracts/endpoints';
import { articleLimits } from '@tandem/contracts/values';
import { useId, useState, type SyntheticEvent } from 'react';
import { call } from '../../../lib/call';
import { send } from '../../../lib/http';
import type { ApiProblem } from '../../../lib/problem';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { useTexts } from '../language/texts';
import { portalForm, portalTextarea } from '../PortalFrame';
import { refusalOf } from '../refusal';
import { readerId } from './help';

/** 'Did this help?', and after No what was missing. */
export function ArticleRating({ number }: { number: number }) {
  const t = useTexts();
  const id = useId();
  const [answer, setAnswer] = useState<'yes' | 'no' | 'remark'>();
  const rate = (helpful: boolean, remark = '') =>
    send(call(rateArticle, { params: { number }, body: { helpful, remark, reader: readerId() } }));
  const choose = (helpful: boolean) => {
    setAnswer(helpful ? 'yes' : 'no');
    // Its failure is ignored, because the reader loses nothing.
    void rate(helpful);
  };
  const sendRemark = async (remark: string) => {
    const { problem } = await rate(false, remark);
    if (!problem) setAnswer('remark');
    return problem;
  };
  return (
    <section aria-labelledby={id} className="mt-10 border-t pt-6">
      <h2 id={id} className="text-lg font-semibold">
        {t('help.question')}
      </h2>
      <div className="mt-3 flex gap-3">
        <Button size="lg" aria-pressed={answer === 'yes'} onClick={() => choose(true)} className={chosen}>
          {t('fields.yes')}
        </Button>
        <Button size="lg" aria-pressed={answer !== undefined && answer !== 'yes'} onClick={() => choose(false)} className={chosen}>
          {t('fields.no')}
        </Button>
      </div>
      <div role="status" className="mt-3 text-muted">
        {answer !== undefined && t('help.thanks')}
      </div>
      {answer === 'no' && <Remark onSend={sendRemark} />}
    </section>
  );
}
const chosen = 'h-11 min-w-20 aria-pressed:border-accent-line aria-pressed:bg-accent-soft';

function Remark({ onSend }: { onSend: (remark: string) => Promise<ApiProblem | undefined> }) {
  const t = useTexts();
  const [remark, setRemark] = useState('');
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (remark.trim() === '' || isSending) return;
    setSending(true);
    setProblem(await onSend(remark));
    setSending(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} className={`mt-4 ${portalForm}`}>
      <Field label={t('help.remark')} optional>
        {(control) => (
          <textarea
            {...control}
            value={remark}
            onChange={(event) => setRemark(event.target.value)}
            maxLength={articleLimits.remark}
            className={portalTextarea}
          />
        )}
      </Field>
      {problem && <Alert tone="destructive">{refusalOf(problem, t)}</Alert>}
      <Button type="submit" size="lg" busy={isSending} className="h-11 self-start">
        {t('help.remark_send')}
      </Button>
    </form>
  );
}
