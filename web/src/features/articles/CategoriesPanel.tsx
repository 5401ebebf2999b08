import type { ArticleCategory } from '@tandem/contracts';
import { articleLimits } from '@tandem/contracts/values';
import { Pencil, Trash2 } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { notify } from '../../lib/notify';
import { messageOf, problemsByInput } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { keyPerText } from '../../lib/unique';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { SidePanel } from '../../ui/SidePanel';
import { OrderedList } from '../../app/ordered-list/OrderedList';
import {
  useCreateArticleCategoryMutation,
  useDeleteArticleCategoryMutation,
  useOrderArticleCategoriesMutation,
  useUpdateArticleCategoryMutation,
} from '../../app/articles/article-categories.api';

interface CategoryFields {
  name: string;
  description: string | null;
}
interface CategoryFormProps {
  category?: ArticleCategory;
  action: string;
  save: (fields: CategoryFields) => Promise<{ error?: unknown }>;
  onDone: () => void;
  onCancel?: () => void;
}
function CategoryForm({ category, action, save, onDone, onCancel }: CategoryFormProps) {
  const [name, setName] = useState(category?.name ?? '');
  const [description, setDescription] = useState(category?.description ?? '');
  const [problem, setProblem] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return setProblem(t('articles.enter_name'));
    setIsSaving(true);
    const { error } = await save({ name: name.trim(), description: description.trim() || null });
    setIsSaving(false);
    if (error) return setProblem(problemsByInput(error).name ?? messageOf(error, t('articles.couldnt_save_category')));
    setName('');
    setDescription('');
    onDone();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex min-w-0 flex-1 flex-col gap-3">
      <Field label={t('articles.name')} error={problem} required>
        {(control) => (
          <Input
            {...control}
            autoFocus={category !== undefined}
            dir="auto"
            maxLength={articleLimits.categoryName}
            value={name}
            onChange={({ target }) => {
              setName(target.value);
              setProblem(undefined);
            }}
          />
        )}
      </Field>
      <Field label={t('articles.description')} hint={t('articles.category_description_hint')} optional>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            maxLength={articleLimits.categoryDescription}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" variant={category ? 'primary' : 'secondary'} busy={isSaving}>
          {action}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t('articles.cancel')}</Button>}
      </div>
    </form>
  );
}

function NewCategory() {
  const [create] = useCreateArticleCategoryMutation();
  const [keyOf] = useState(keyPerText);
  return (
    <section aria-label={t('articles.new_category')} className="mt-6 border-t pt-4">
      <h3 className="mb-3 font-semibold">{t('articles.new_category')}</h3>
      <CategoryForm
        action={t('articles.add_category')}
        save={(fields) => create({ category: fields, key: keyOf(JSON.stringify(fields)) })}
        onDone={() => notify.success(t('articles.category_added'))}
      />
    </section>
  );
}

interface RowProps {
  category: ArticleCategory;
  isEdited: boolean;
  onEdit: (isEdited: boolean) => void;
  onDelete: () => void;
}
function CategoryRow({ category, isEdited, onEdit, onDelete }: RowProps) {
  const [update] = useUpdateArticleCategoryMutation();
  if (isEdited)
    return (
      <CategoryForm
        category={category}
        action={t('articles.save')}
        save={(changes) => update({ id: category.id, changes })}
        onDone={() => onEdit(false)}
        onCancel={() => onEdit(false)}
      />
    );
  return (
    <div className="flex min-w-0 flex-1 items-start gap-2 pl-1">
      <div className="min-w-0 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]" dir="auto">
          {category.name}
        </p>
        <p className="text-xs [overflow-wrap:anywhere] text-muted">
          {t('articles.count', { count: category.article_count })}
          {category.description && ` · ${category.description}`}
        </p>
      </div>
      <span className="-my-1 flex shrink-0">
        <Button variant="ghost" size="icon-sm" aria-label={t('articles.edit_name', { name: category.name })} onClick={() => onEdit(true)}>
          <Pencil aria-hidden />
        </Button>
        <Button variant="ghost" size="icon-sm" aria-label={t('articles.delete_name', { name: category.name })} onClick={onDelete}>
          <Trash2 aria-hidden />
        </Button>
      </span>
    </div>
  );
}

/** Creates, renames, orders and deletes the categories of articles. */
export function CategoriesPanel({ categories, onClose }: { categories: ArticleCategory[]; onClose: () => void }) {
  const [saveOrder] = useOrderArticleCategoriesMutation();
  const [remove] = useDeleteArticleCategoryMutation();
  const [edited, setEdited] = useState<string>();
  const [doomed, setDoomed] = useState<ArticleCategory>();
  const deleteNow = async () => {
    if (!doomed) return;
    setDoomed(undefined);
    const { error } = await remove(doomed.id);
    if (error) notify.problem(error, t('articles.couldnt_delete_category'));
    else notify.success(t('articles.category_deleted'), doomed.name);
  };
  return (
    <SidePanel open onClose={onClose} title={t('articles.categories')} description={t('articles.about_categories')}>
      {categories.length > 0 && (
        <div className="rounded-lg border">
          <OrderedList
            label={t('articles.categories')}
            hint={t('articles.how_to_move')}
            items={categories}
            all={categories}
            nameOf={({ name }) => name}
            save={saveOrder}
            savedText={t('articles.categories_reordered')}
            failedText={t('articles.couldnt_reorder')}
          >
            {(category) => (
              <CategoryRow
                category={category}
                isEdited={edited === category.id}
                onEdit={(isEdited) => setEdited(isEdited ? category.id : undefined)}
                onDelete={() => setDoomed(category)}
              />
            )}
          </OrderedList>
        </div>
      )}
      {categories.length < articleLimits.categories && <NewCategory />}
      <ConfirmDialog
        open={doomed !== undefined}
        onOpenChange={(open) => !open && setDoomed(undefined)}
        title={t('articles.delete_this_category')}
        description={t('articles.what_deleting_category_does', { name: doomed?.name ?? '' })}
        action={t('articles.delete_category')}
        onConfirm={() => void deleteNow()}
      />
    </SidePanel>
  );
}
