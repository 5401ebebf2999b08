import { articleLimits } from '@tandem/contracts/values';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { problemsByInput } from '../../lib/problem';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { keyPerText } from '../../lib/unique';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { PageHeader } from '../../ui/PageHeader';
import { articleAddress } from '../../app/articles/article-labels';
import { useCreateArticleMutation } from '../../app/articles/articles.api';

/** /articles/new, with the title in the address if there is one already: an article begins with its title. Everything else is written in the editor, which saves automatically. */
export function NewArticlePage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [title, setTitle] = useState(() => (params.get('title') ?? '').slice(0, articleLimits.title));
  const [problem, setProblem] = useState<string>();
  const [keyOf] = useState(keyPerText);
  const [create, { isLoading }] = useCreateArticleMutation();
  const box = useRef<HTMLInputElement>(null);
  // An effect, because the header of a new page takes the focus in one.
  useEffect(() => box.current?.focus(), []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() === '') return setProblem(t('articles.enter_title'));
    const category_id = params.get('category');
    const { data, error } = await create({ article: { title, ...(category_id ? { category_id } : {}) }, key: keyOf(title) });
    if (data) return void navigate(articleAddress(data.id), { replace: true, state: { focus: 'body' } });
    const inTitle = problemsByInput(error).title;
    if (inTitle) setProblem(inTitle);
    else notify.problem(error, t('articles.couldnt_create'));
  };
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-6 max-md:p-4">
      <PageHeader title={t('articles.new')} />
      <form onSubmit={(event) => void submit(event)} noValidate className="mx-auto flex max-w-3xl flex-col gap-4">
        <Field label={t('articles.title')} error={problem} hint={t('articles.title_hint')} required>
          {(control) => (
            <Input
              {...control}
              ref={box}
              dir="auto"
              size="lg"
              maxLength={articleLimits.title}
              value={title}
              onChange={({ target }) => {
                setTitle(target.value);
                setProblem(undefined);
              }}
            />
          )}
        </Field>
        <div>
          <Button type="submit" variant="primary" busy={isLoading}>
            {t('articles.create_draft')}
          </Button>
        </div>
      </form>
    </div>
  );
}
