import { defaultPriority, type TicketPriority, type TicketStatus } from '@tandem/contracts';
import type { ImportInput, SourceItem } from '../import-reader';

/** Names that help desks and their users have for our statuses, in the languages of the product; compared without case and accents. */
const statusNames: Record<TicketStatus, string> = {
  open:
    'open|new|active|unassigned|assigned|reopened|re opened|todo|to do|backlog|created|received|offen|neu|geoffnet|zugewiesen|wiedereroffnet|ouvert|ouverte|nouveau|nouvelle|actif|' +
    'abierto|abierta|nuevo|nueva|activo|aberto|aberta|novo|nova|ativo|aperto|aperta|nuovo|nuova|nieuw|openstaand|otwarte|otwarty|nowe|nowy|nowa|未対応|新規|オープン|受付|受付済み|' +
    'مفتوح|مفتوحة|جديد|جديدة',
  in_progress:
    'in progress|in work|working|work in progress|wip|doing|on hold|hold|waiting on third party|waiting for third party|pending internal|escalated|in review|in bearbeitung|' +
    'bearbeitung|in arbeit|angehalten|zuruckgestellt|en cours|en cours de traitement|en progreso|en curso|em andamento|em progresso|em espera|in corso|in lavorazione|in behandeling|w toku|' +
    'w trakcie|対応中|処理中|進行中|保留|保留中|قيد التنفيذ|قيد المعالجة|قيد التقدم',
  waiting_for_customer:
    'waiting for customer|waiting on customer|waiting on client|waiting for reply|waiting|awaiting reply|awaiting customer reply|awaiting response|pending|pending reminder|pending customer|' +
    'customer responded|answered|on customer|feedback|ruckfrage|wartet auf kunde|wartet auf kunden|warten auf kunde|warten auf erinnerung|wartend|ausstehend|en attente|en attente du client|' +
    'attente client|pendiente|esperando al cliente|en espera|pendente|aguardando cliente|aguardando o cliente|in attesa|in attesa del cliente|in afwachting|wacht op klant|wacht op u|oczekuje|oczekujace|' +
    'oczekuje na klienta|بانتظار ردك|返信待ち|回答待ち|顧客待ち|お客様待ち|確認中|قيد الانتظار|معلق|بانتظار العميل',
  resolved:
    'resolved|solved|done|fixed|completed|complete|finished|pending close|gelost|erledigt|behoben|fertig|warten auf schliessen|resolu|resolue|termine|resuelto|resuelta|' +
    'solucionado|hecho|resolvido|resolvida|concluido|risolto|risolta|completato|opgelost|afgerond|rozwiazane|rozwiazany|解決済み|解決|完了|対応済み|تم الحل|محلول|محلولة',
  closed:
    'closed|close|archived|cancelled|canceled|rejected|merged|geschlossen|abgeschlossen|archiviert|ferme|fermee|clos|cloture|cerrado|cerrada|fechado|fechada|encerrado|chiuso|chiusa|gesloten|' +
    'zamkniete|zamkniety|クローズ|終了|مغلق|مغلقة',
};
const priorityNames: Record<TicketPriority, string> = {
  low: 'low|lowest|minor|trivial|1 low|p4|p5|niedrig|gering|basse|faible|baja|bajo|baixa|baixo|bassa|basso|laag|niski|niska|低|低い|منخفضة|منخفض',
  medium:
    'medium|normal|standard|none|default|moderate|2 normal|p3|mittel|moyenne|moyen|normale|media|medio|medias|gemiddeld|normaal|sredni|srednia|normalny|normalna|中|普通|通常|متوسطة|متوسط|عادي',
  high: 'high|major|important|3 high|p2|hoch|wichtig|haute|elevee|eleve|importante|alta|alto|hoog|wysoki|wysoka|高|高い|عالية|عال|عالي|مرتفع|مرتفعة',
  urgent:
    'urgent|highest|critical|blocker|emergency|immediate|4 urgent|p1|p0|dringend|sehr hoch|kritisch|urgente|critique|critica|critico|spoedeisend|pilny|pilna|pilne|krytyczny|緊急|至急|最高|عاجل|عاجلة',
};

/** Lower case, without accents, punctuation and double spaces. */
export const plainName = (value: string): string =>
  value
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const byName = <T extends string>(names: Record<T, string>): ReadonlyMap<string, T> =>
  new Map(
    (Object.entries(names) as [T, string][]).flatMap(([value, list]) => list.split('|').map((name) => [plainName(name), value] as const)),
  );
const statuses = byName(statusNames);
const priorities = byName(priorityNames);

const hints: readonly [RegExp, TicketStatus][] = [
  [/clos|cancel|reject|archiv|geschl/, 'closed'],
  [/solv|done|fixed|complete|erledigt|gelost/, 'resolved'],
  [/wait|await|pending|warte|attente|espera/, 'waiting_for_customer'],
  [/progress|work|review|hold|bearbeit|cours/, 'in_progress'],
];

/** A value of the source as ours. `item` lets the admin decide about a value without an equivalent; it is yielded once per ticket. */
export interface NamedValue<T> {
  value: T;
  item: SourceItem | null;
}
type Choices = Pick<ImportInput, 'statuses' | 'priorities'>;
/** As in the contract of an import's values. */
const maxLength = 200;

export function statusFrom(text: string | null, { statuses: chosen }: Choices): NamedValue<TicketStatus> {
  if (text === null) return { value: 'open', item: null };
  const name = plainName(text);
  const known = statuses.get(name);
  if (known) return { value: known, item: null };
  const value = text.slice(0, maxLength);
  const suggestion = chosen.get(value) ?? hints.find(([hint]) => hint.test(name))?.[1] ?? 'open';
  return { value: suggestion, item: { type: 'value', field: 'status', value, suggestion } };
}

export function priorityFrom(text: string | null, { priorities: chosen }: Choices): NamedValue<TicketPriority> {
  if (text === null) return { value: defaultPriority, item: null };
  const known = priorities.get(plainName(text));
  if (known) return { value: known, item: null };
  const value = text.slice(0, maxLength);
  const suggestion = chosen.get(value) ?? defaultPriority;
  return { value: suggestion, item: { type: 'value', field: 'priority', value, suggestion } };
}
