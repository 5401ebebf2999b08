import { csvColumns, csvKinds, type CsvKind } from '@tandem/contracts';
import { customFieldKey } from '@tandem/contracts/values';
import { plainName } from './value-names';

/**
 * Names of columns in exports of Zendesk, Freshdesk, Help Scout, Zammad, FreeScout, osTicket, Jira, and of spreadsheets in English, German,
 * French and Spanish, best first; compared without case, accents and punctuation.
 */
const names: { [Kind in CsvKind]: Record<string, string> } = {
  tickets: {
    id: 'id|ticket id|ticketid|ticket key|issue key|issue id|conversation id|case id|ticket nr|ticket nummer|external id|vorgang|identifiant|id del ticket|key|number|ticket number|conversation number|nummer|#|numero',
    number: 'number|ticket number|ticket no|ticket nr|ticketnummer|ticket nummer|conversation number|case number|issue key|nummer|numero|numero de ticket|numero du ticket|no|#',
    subject: 'subject|ticket subject|title|summary|betreff|titel|sujet|titre|objet|asunto|titulo|topic|thema',
    description: 'description|body|message|content|text|details|first message|preview|beschreibung|nachricht|inhalt|contenu|descripcion|mensaje|contenido',
    status: 'status|state|ticket status|current status|zustand|stand|statut|etat|estado',
    priority: 'priority|ticket priority|prioritat|dringlichkeit|priorite|prioridad|urgency|severity',
    category: 'category|type|ticket type|issue type|help topic|topic|kategorie|typ|art|categorie|type de ticket|categoria|tipo|group|gruppe|mailbox|inbox|department',
    tags: 'tags|tag|labels|label|schlagworte|schlagworter|stichworte|etiquettes|mots cles|etiquetas',
    channel: 'channel|source|via|kanal|quelle|canal|origen|origine|create article type',
    customer_email:
      'customer email|requester email|email|e mail|from email|contact email|customer email address|customer|email address|reporter email|user email|from|kunden email|e mail adresse|kunde e mail|absender|' +
      'email client|adresse e mail|courriel|email du client|correo electronico|correo|email del cliente|requester|reporter|owner email|client email|sender email',
    customer_name:
      'customer name|requester|requester name|contact name|full name|from name|name|customer|reporter|user|kundenname|kunde|anforderer|nom du client|demandeur|nom|client|nombre del cliente|solicitante|nombre|cliente',
    assignee:
      'assignee|assigned to|agent|owner|assignee email|agent email|assigned|responder|zugewiesen an|bearbeiter|besitzer|zustandig|assigne a|assigne|attribue a|asignado a|asignado|agente|staff assigned',
    created_at:
      'created at|created|created time|creation date|date created|create time|created date|opened|opened at|erstellt|erstellt am|erstellungsdatum|erstellungszeit|cree le|date de creation|cree|creado|fecha de creacion|creado el|date',
    updated_at:
      'updated at|updated|last update time|last updated|last update|modified|modified at|last modified|update time|aktualisiert|aktualisiert am|geandert|geandert am|mis a jour le|modifie le|date de modification|actualizado|fecha de actualizacion|last activity',
    resolved_at:
      'resolved at|resolved|resolved time|solved at|solved|resolution date|closed at|closed time|closed|close date|closed date|gelost am|geschlossen am|close at|resolu le|ferme le|resuelto el|cerrado el|fecha de resolucion',
  },
  comments: {
    ticket_id: 'ticket id|ticket|ticketid|issue key|conversation id|conversation|case id|ticket number|ticketnummer|ticket nr|parent id|id du ticket|id del ticket|vorgang|number',
    content: 'content|comment|body|message|text|note|kommentar|nachricht|inhalt|commentaire|contenu|comentario|mensaje|contenido|comment body',
    id: 'id|comment id|message id|note id|thread id|article id|kommentar id',
    author_email: 'author email|email|from|user email|sender email|author|autor e mail|e mail|email auteur|email del autor|absender|created by',
    author_name: 'author name|author|user|sender|name|created by|autor|verfasser|auteur|nom|nombre',
    is_internal: 'is internal|internal|private|is private|intern|prive|interno|privado|note interne|interne notiz',
    created_at: 'created at|created|date|time|timestamp|sent at|erstellt|erstellt am|datum|cree le|fecha|creado|date created',
  },
  customers: {
    email: 'email|e mail|email address|customer email|primary email|e mail adresse|adresse e mail|courriel|correo|correo electronico|user email|contact email',
    name: 'name|full name|customer name|contact name|display name|nom|nom complet|nombre|nombre completo|kundenname|vollstandiger name|user name',
  },
  articles: {
    title: 'title|name|article title|subject|question|titel|uberschrift|titre|titulo|frage',
    body: 'body|content|text|html|article body|answer|description|inhalt|antwort|contenu|corps|contenido|cuerpo|respuesta',
    id: 'id|article id|number|nummer|numero',
    summary: 'summary|excerpt|meta description|zusammenfassung|resume|resumen|subtitle',
    category: 'category|section|folder|collection|kategorie|rubrik|categorie|rubrique|categoria|seccion',
    language: 'language|locale|lang|sprache|langue|idioma',
    visibility: 'visibility|access|sichtbarkeit|visibilite|visibilidad|visible to',
    state: 'state|status|published|zustand|statut|estado|veroffentlicht|publie|publicado',
    created_at: 'created at|created|date created|erstellt|erstellt am|cree le|creado|fecha de creacion',
    updated_at: 'updated at|updated|last updated|modified|aktualisiert|geandert|mis a jour le|actualizado|modified at',
  },
}; // prettier-ignore

export type CsvMapping = Record<string, string | null>;

const columnsOf = (kind: CsvKind): readonly string[] => [...csvColumns[kind].required, ...csvColumns[kind].optional];
const emailNames = new Set(names.tickets.customer_email!.split('|').map(plainName));

/** Our column → the column of the file. Each column of the file is used once, for the column that names it first. */
export function suggestMapping(kind: CsvKind, columns: readonly string[], customFields: Iterable<string> = []): CsvMapping {
  const plain = columns.map(plainName);
  const mapping: CsvMapping = {};
  const used = new Set<number>();
  const candidates = columnsOf(kind).map((column) => ({
    column,
    names: [plainName(column), ...names[kind][column]!.split('|').map(plainName)],
  }));
  for (const { column } of candidates) mapping[column] = null;
  const longest = Math.max(...candidates.map((each) => each.names.length));
  // All first names before all second names: "Email" is the customer's only if no column is named "Customer email".
  for (let rank = 0; rank < longest; rank++) {
    for (const candidate of candidates) {
      const at = candidate.names[rank] === undefined || candidate.names[rank] === '' ? -1 : plain.indexOf(candidate.names[rank]!);
      if (mapping[candidate.column] !== null || at < 0 || used.has(at)) continue;
      mapping[candidate.column] = columns[at]!;
      used.add(at);
    }
  }
  if (kind !== 'tickets') return mapping;
  // The ID of most tools is the number of the ticket.
  mapping.number ??= mapping.id ?? null;
  mapping.id ??= mapping.number;
  // `Requester` is the name if there is a column for the address, and otherwise the only sign of the customer.
  const name = mapping.customer_name ?? null;
  if (mapping.customer_email === null && name !== null && emailNames.has(plainName(name)))
    Object.assign(mapping, { customer_email: name, customer_name: null });
  mapCustomFields(mapping, columns, plain, used, customFields);
  return mapping;
}

function mapCustomFields(
  mapping: CsvMapping,
  columns: readonly string[],
  plain: string[],
  used: Set<number>,
  keys: Iterable<string>,
): void {
  for (const key of keys) {
    // Jira writes `Custom field (Product)`.
    const at = plain.findIndex((name, index) => !used.has(index) && name.replace(/^custom field /, '') === plainName(key));
    if (at < 0 || !customFieldKey.test(key)) continue;
    mapping[`custom_fields.${key}`] = columns[at]!;
    used.add(at);
  }
}

/** What the rows are, by the number of our columns that the file has; all that are required must be among them. */
export function suggestKind(columns: readonly string[], fileName: string): CsvKind | null {
  const scores = csvKinds.map((kind) => {
    const mapping = suggestMapping(kind, columns);
    const isComplete = csvColumns[kind].required.every((column) => mapping[column] !== null);
    const found = new Set(Object.values(mapping).filter((column) => column !== null)).size;
    const isNamed = fileName.toLowerCase().includes(kind.slice(0, -1)) ? 3 : 0;
    // Customers have columns that all kinds have, and comments have a column for the ticket that tickets would use as their ID.
    return { kind, isComplete, score: found + isNamed + (kind === 'comments' ? 0.5 : 0) };
  });
  const best = scores.filter(({ isComplete }) => isComplete).sort((a, b) => b.score - a.score)[0];
  return best?.kind ?? null;
}
