import { Controller } from '@nestjs/common';
import {
  AppError,
  createMacro,
  deleteMacro,
  listMacros,
  macroLimits,
  updateMacro,
  withoutContent,
  type Context,
  type InputOf,
  type Macro,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Handles, storeResponse } from '@tandem/messaging';
import { userIdOf, requireUser } from '../caller';
import { withFieldValues } from '../custom-field/ticket-values';
import type { TicketsSchema, TicketsTx } from '../schema';
import { canChange, canSee } from '../shared-items';
import { checkAssignee } from '../ticket/ticket.service';
import { measureMacrosForUpdate, findMacroForUpdate, findMacros, insertMacro, removeMacro, saveMacro } from './macro.store';

/** Canned replies and macros. Each is owned by a user, who may share it with the organization. */
@Controller()
export class MacroService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  /** API tokens own no macros and get only the shared ones. */
  @Handles(listMacros)
  list(ctx: Context): Promise<Macro[]> {
    return this.db.forTenant(ctx, (tx) => findMacros(tx, userIdOf(ctx)));
  }

  @Handles(createMacro)
  create(ctx: TenantContext, { body }: InputOf<typeof createMacro>): Promise<Macro> {
    const { user_id } = requireUser(ctx);
    return this.db.forTenant(ctx, async (tx) => {
      await checkChanges(tx, body.changes);
      const { count, characters } = await measureMacrosForUpdate(tx, user_id);
      if (count >= macroLimits.own) throw new AppError('macro.too_many');
      refuseTooLong(characters + lengthOf(body));
      const macro = { ...body, id: newId(), owner_id: user_id, updated_at: new Date().toISOString() };
      return storeResponse(tx, await insertMacro(tx, ctx.organization_id, macro));
    });
  }

  @Handles(updateMacro)
  update(ctx: Context, { params, body }: InputOf<typeof updateMacro>): Promise<Macro> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getMacroToChange(tx, ctx, params.id);
      if (body.changes) await checkChanges(tx, body.changes);
      const macro = { ...before, ...body, updated_at: new Date().toISOString() };
      if (macro.content === '' && Object.keys(macro.changes).length === 0)
        throw invalid(body.content === undefined ? 'changes' : 'content', 'Enter text or choose changes');
      if (macro.content === '' && Object.keys(macro.translations).length > 0) throw invalid('content', withoutContent.message);
      const more = lengthOf(macro) - lengthOf(before);
      if (more > 0) refuseTooLong((await measureMacrosForUpdate(tx, before.owner_id)).characters + more);
      return saveMacro(tx, macro);
    });
  }

  @Handles(deleteMacro)
  delete(ctx: Context, { params }: InputOf<typeof deleteMacro>): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      await getMacroToChange(tx, ctx, params.id);
      await removeMacro(tx, params.id);
      return {};
    });
  }
}

async function getMacroToChange(tx: TicketsTx, ctx: Context, id: string): Promise<Macro> {
  const user = requireUser(ctx);
  const macro = await findMacroForUpdate(tx, id);
  if (!macro || !canSee(macro, user)) throw new AppError('macro.not_found');
  if (!canChange(macro, user)) throw new AppError('permission.denied', { detail: 'Only its owner, managers and admins may change it.' });
  return macro;
}

async function checkChanges(tx: TicketsTx, { assigned_to, custom_fields }: Macro['changes']): Promise<void> {
  await checkAssignee(tx, { assigned_to }, 'changes.assigned_to');
  await withFieldValues(tx, { custom_fields: {} }, { custom_fields });
}

const lengthOf = ({ content, translations }: Pick<Macro, 'content' | 'translations'>): number =>
  Object.values(translations).reduce((sum, text) => sum + text.length, content.length);

function refuseTooLong(characters: number): void {
  if (characters <= macroLimits.characters) return;
  throw new AppError('macro.too_many', { detail: 'Your canned replies are too long in total. Shorten or remove one first.' });
}

const invalid = (path: string, message: string) => new AppError('request.invalid', { fields: [{ path, code: 'invalid', message }] });
