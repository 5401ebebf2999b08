import type { Article } from '@tandem/contracts';
import { articleLimits, languageNames, languages, type ArticleVisibility, type Language } from '@tandem/contracts/values';
import { Lock } from 'lucide-react';
import { t } from '../../lib/staff-texts';
import { Field } from '../../ui/Field';
import { Textarea } from '../../ui/Input';
import { Select } from '../../ui/Select';
import { categoryOptions, noCategory, useMay, visibilityOptions } from '../../app/articles/article-labels';
import { useListArticleCategoriesQuery } from '../../app/articles/article-categories.api';
import type { ArticleFields } from './article-fields';

const languageOptions = languages.map((value) => ({ value, label: languageNames[value] }));

interface ArticleFieldsPanelProps {
  article: Article;
  fields: ArticleFields;
  onChange: (news: Partial<ArticleFields>) => void;
}
/** Everything of an article except title and text. */
export function ArticleFieldsPanel({ article, fields, onChange }: ArticleFieldsPanelProps) {
  const { data: categories = [] } = useListArticleCategoriesQuery();
  const summary = fields.summary ?? '';
  return (
    <div className="flex flex-col gap-4">
      <Field label={t('articles.summary')} hint={t('articles.summary_hint', { left: articleLimits.summary - summary.length })}>
        {(control) => (
          <Textarea
            {...control}
            dir="auto"
            maxLength={articleLimits.summary}
            value={summary}
            onChange={({ target }) => onChange({ summary: target.value === '' ? null : target.value })}
          />
        )}
      </Field>
      <Field label={t('articles.category')}>
        {(control) => (
          <Select
            {...control}
            value={fields.category_id ?? noCategory}
            options={categoryOptions(categories)}
            onChange={(value) => onChange({ category_id: value === noCategory ? null : value })}
          />
        )}
      </Field>
      <VisibilityField article={article} visibility={fields.visibility} onChange={onChange} />
      <Field label={t('articles.language')}>
        {(control) => (
          <Select
            {...control}
            value={fields.language}
            options={languageOptions}
            onChange={(value) => onChange({ language: value as Language })}
          />
        )}
      </Field>
    </div>
  );
}

function VisibilityField({
  article,
  visibility,
  onChange,
}: Pick<ArticleFieldsPanelProps, 'article' | 'onChange'> & { visibility: ArticleVisibility }) {
  // Readers would see the change immediately.
  const isVisibilityFixed = !useMay('article.publish') && article.state === 'published';
  return (
    <Field
      label={t('articles.visibility')}
      hint={
        isVisibilityFixed ? (
          <span className="flex items-center gap-1">
            <Lock className="size-3" aria-hidden />
            {t('articles.only_publishers_change_visibility')}
          </span>
        ) : visibility === 'internal' ? (
          t('articles.about_internal')
        ) : (
          t('articles.about_public')
        )
      }
    >
      {(control) => (
        <Select
          {...control}
          value={visibility}
          options={visibilityOptions}
          disabled={isVisibilityFixed}
          onChange={(value) => onChange({ visibility: value as ArticleVisibility })}
        />
      )}
    </Field>
  );
}
