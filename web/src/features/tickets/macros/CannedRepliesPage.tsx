import type { Macro } from '@tandem/contracts';
import { languageNames, languages } from '@tandem/contracts/values';
import { Lock, MessageSquareText, Pencil, Plus, Trash2, UsersRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useListMembersQuery, useSession } from '../../../app/api';
import { useCustomFields } from '../../../app/custom-fields/custom-fields.api';
import { useMemberName } from '../../../app/use-member-name';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Input } from '../../../ui/Input';
import { PageHeader } from '../../../ui/PageHeader';
import { Rich } from '../../../ui/Rich';
import { Skeleton } from '../../../ui/Skeleton';
import { changeSentences } from './change-labels';
import { useDeleteMacroMutation, useListMacrosQuery } from './macros.api';

const MacroForm = lazy(() => import('./MacroForm').then((module) => ({ default: module.MacroForm })));

/** Members may change their own; managers and admins also those shared by others (contracts/macros.ts). */
function useMayChange() {
  const { profile } = useSession();
  return (macro: Macro) => macro.owner_id === profile.user_id || (macro.is_shared && profile.role !== 'agent');
}

function MacroRow({ macro, onEdit, onDelete }: { macro: Macro; onEdit: () => void; onDelete: () => void }) {
  const { profile } = useSession();
  const { data: members = [] } = useListMembersQuery();
  const memberName = useMemberName();
  const fields = useCustomFields();
  const mayChange = useMayChange()(macro);
  const owner = memberName(macro.owner_id);
  const sharedText = macro.owner_id === profile.user_id ? t('tickets.macros.shared') : t('tickets.macros.shared_by', { owner });
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <h2 className="flex flex-wrap items-center gap-1.5 text-sm font-semibold [overflow-wrap:anywhere]">
          {macro.name}
          {macro.is_internal && (
            <Badge tone="amber">
              <Lock aria-hidden />
              {t('tickets.macros.internal_note')}
            </Badge>
          )}
          {macro.is_shared && (
            <Badge tone="accent">
              <UsersRound aria-hidden />
              {sharedText}
            </Badge>
          )}
        </h2>
        {macro.content && (
          <p dir="auto" className="mt-0.5 line-clamp-2 [overflow-wrap:anywhere] text-muted">
            {macro.content}
          </p>
        )}
        <p className="mt-1.5 flex flex-wrap gap-1 empty:hidden">
          {languages
            .filter((language) => macro.translations[language])
            .map((language) => (
              <Badge key={language} tone="plain" title={t('tickets.macros.has_text_in', { language: languageNames[language] })}>
                {languageNames[language]}
              </Badge>
            ))}
          {changeSentences(macro.changes, members, fields).map(({ field, text }) => (
            <Badge key={field} tone="plain">
              {text}
            </Badge>
          ))}
        </p>
      </div>
      {mayChange && (
        <span className="flex">
          <Button variant="ghost" size="icon-sm" aria-label={t('tickets.macros.edit_name', { name: macro.name })} onClick={onEdit}>
            <Pencil aria-hidden />
          </Button>
          <Button variant="ghost" size="icon-sm" aria-label={t('tickets.macros.delete_name', { name: macro.name })} onClick={onDelete}>
            <Trash2 aria-hidden />
          </Button>
        </span>
      )}
    </li>
  );
}

function Nothing({ onNew }: { onNew: () => void }) {
  return (
    <EmptyState
      icon={MessageSquareText}
      title={t('tickets.macros.no_canned_replies_yet')}
      action={
        <Button variant="primary" onClick={onNew}>
          <Plus aria-hidden />
          {t('tickets.macros.new_canned_reply')}
        </Button>
      }
    >
      {t('tickets.macros.what_canned_replies_are')}
    </EmptyState>
  );
}

/** Asks for confirmation, then deletes. */
function DeleteQuestion({ macro, onClose }: { macro: Macro | undefined; onClose: () => void }) {
  const [remove] = useDeleteMacroMutation();
  const confirm = async () => {
    if (!macro) return;
    onClose();
    const { error } = await remove(macro.id);
    if (error) notify.problem(error, t('tickets.macros.failed_to_delete_canned_reply'));
  };
  return (
    <ConfirmDialog
      open={macro !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={t('tickets.macros.delete_this_canned_reply')}
      description={
        macro?.is_shared
          ? t('tickets.macros.what_deleting_reply_does', { name: macro.name })
          : t('tickets.macros.name_is_deleted_permanently', { name: macro?.name ?? '' })
      }
      action={t('tickets.macros.delete')}
      onConfirm={() => void confirm()}
    />
  );
}

function List({ macros, onEdit, onDelete }: { macros: Macro[]; onEdit: (macro: Macro) => void; onDelete: (macro: Macro) => void }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = macros.filter(({ name, content, translations }) =>
    [name, content, ...Object.values(translations)].join('\n').toLowerCase().includes(wanted),
  );
  return (
    <>
      <Input
        type="search"
        aria-label={t('tickets.macros.search_canned_replies')}
        placeholder={t('tickets.macros.search')}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        className="mb-4 max-w-72"
      />
      {found.length === 0 && <p className="text-muted">{t('tickets.macros.nothing_found')}</p>}
      <ul aria-label={t('tickets.macros.canned_replies')} className="divide-y rounded-lg border bg-surface empty:hidden">
        {found.map((macro) => (
          <MacroRow key={macro.id} macro={macro} onEdit={() => onEdit(macro)} onDelete={() => onDelete(macro)} />
        ))}
      </ul>
    </>
  );
}

/** /canned-replies: the user's own canned replies and the team's. */
export function CannedRepliesPage() {
  const { data: macros, isError, isFetching, refetch } = useListMacrosQuery();
  const [form, setForm] = useState<{ macro?: Macro }>();
  const [doomed, setDoomed] = useState<Macro>();
  return (
    <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">
      <PageHeader
        title={t('tickets.macros.page_title')}
        actions={
          <Button variant="primary" onClick={() => setForm({})}>
            <Plus aria-hidden />
            <span>
              <Rich
                text={t('tickets.macros.new_canned_reply_button')}
                tags={{ span: (inside) => <span className="max-sm:sr-only">{inside}</span> }}
              />
            </span>
          </Button>
        }
      />
      <div className="max-w-4xl p-6 max-md:p-4" aria-busy={!macros && !isError}>
        {!macros && !isError && <Skeleton className="h-40 rounded-lg" />}
        {!macros && isError && (
          <ErrorNote title={t('tickets.macros.failed_to_load_canned_replies')} onRetry={() => void refetch()} busy={isFetching} />
        )}
        {macros?.length === 0 && <Nothing onNew={() => setForm({})} />}
        {macros && macros.length > 0 && <List macros={macros} onEdit={(macro) => setForm({ macro })} onDelete={setDoomed} />}
      </div>
      {form && (
        <Suspense fallback={null}>
          <MacroForm macro={form.macro} onClose={() => setForm(undefined)} />
        </Suspense>
      )}
      <DeleteQuestion macro={doomed} onClose={() => setDoomed(undefined)} />
    </div>
  );
}
