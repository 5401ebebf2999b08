import { replyDelimiters } from '@tandem/contracts/values';
import { quoteMarker } from './html-text';

/** Longer lines are never attributions, so patterns are not tried on them, which bounds their cost. */
const maxLineLength = 400;

const wrote =
  /(?:^|[\s,])(?:wrote|writes|schrieb|écrit|escribió|ha scritto|escreveu|schreef|skrev|kirjoitti|pisze|napisał(?:\(a\)|a)?|napsal(?:\(a\)|a)?|пишет|написал(?:\(а\)|а)?|yazdı|a scris|έγραψε|írta|viết)\s*[:：]$/iu;
const wroteInAsia = /(?:写道|寫道|のメッセージ|書きました|작성)\s*[:：]?$/u;
const dated = /\d{1,2}[:.h]\d{2}|\d{4}|\d{1,2}[./]\d{1,2}/;
const named = /(?:<|\[mailto:|\()\s?[^\s<>]{1,200}@[^\s<>]{1,200}[>\])]/;
/** Attributions that start with a date: `On … wrote:`, `Am … schrieb Carla <c@example.com>:`. */
const opened =
  /^-*\s*(?:(?:on|le|el|il|in data|em|op|den|w dniu|dnia|dne|pada|vào)\s.*(?:wrote|écrit|escribió|scritto|escreveu|schreef|skrev|pisze|napisał|napsal|menulis|viết).*|am\s.*\sschrieb(?:\s.*)?)[:：]?\s*-*$/iu;

/** Whether these lines, joined, are an attribution of the text that follows. */
function isAttribution(joined: string): boolean {
  if (joined.length > maxLineLength || !/\d/.test(joined)) return false;
  const line = joined
    .replace(/\*/g, '')
    // Collapse runs of both: the patterns would be tried from each position of a long run.
    .replace(/\s+/g, ' ')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '')
    .trim();
  // In `Yes. On Friday, Ada wrote:` the sender's own words come first.
  if (/^(?!on\s).*\bOn\s.*\bwrote\s?:?$/i.test(line)) return false;
  const ends = /[:：]$/.test(line);
  if (ends && opened.test(line)) return true;
  if (/^on\s.*\swrote$/i.test(line) && dated.test(line)) return true;
  if (wrote.test(line) && dated.test(line)) return true;
  if (wroteInAsia.test(line)) return true;
  return ends && named.test(line) && dated.test(line) && /^[^.!?]{0,80}\d/.test(line);
}

/** The start of an attribution that spans several lines; a line without it is the sender's own text above the attribution. */
const beginning =
  /^-*\s*\*?(?:(?:on|le|el|il|in data|em|op|den|på|am|w dniu|dnia|dne|pada|vào|a)\s|\d|[^\s\d]{1,5}\.?,?\s\d|.{0,100}(?:<|\[mailto:|@))/iu;

/** The number of lines from `at` that form an attribution, which mail programs wrap into at most four; 0 if there is none. */
export function attributionAt(lines: readonly string[], at: number): number {
  let joined = '';
  for (let count = 1; count <= 4; count++) {
    const line = lines[at + count - 1]?.trim();
    if (!line || line.startsWith('>') || line.length > maxLineLength) return 0;
    joined = joined ? `${joined} ${line}` : line;
    if (count === 2 && !beginning.test(lines[at]!.trim())) return 0;
    if (isAttribution(joined)) return count;
  }
  return 0;
}

const original =
  /^[-_=*\s]{2,}(?:original message|original appointment|ursprüngliche nachricht|antwort nachricht|originalnachricht|message d['’]origine|message original|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|oprindelig (?:besked|meddelelse)|opprinnelig melding|ursprungligt meddelande|alkuperäinen viesti|wiadomość oryginalna|oryginalna wiadomość|исходное сообщение|původní zpráva|eredeti üzenet|元のメッセージ|original-nachricht|原始邮件|原始郵件|원본 메시지|reply message)[-_=*\s]{2,}$/iu;
const forwarding =
  /^(?:[-_=*\s]{2,}\s*(?:forwarded message|forwarded by .{1,80}|weitergeleitete nachricht|message transféré|message transmis|mensaje reenviado|mensagem encaminhada|messaggio inoltrato|doorgestuurd bericht|vidarebefordrat meddelande|videresendt (?:besked|melding)|przekazana wiadomość|пересылаемое сообщение|転送メッセージ|转发的邮件).*|begin forwarded message\s*:|anfang der weitergeleiteten (?:nachricht|e-mail)\s*:|début du message (?:réexpédié|transféré)\s*:|inicio del mensaje reenviado\s*:|inizio messaggio inoltrato\s*:|start van doorgestuurd bericht\s*:)$/iu;

const fromLabel =
  /^(?:from|von|de|da|van|från|fra|od|от|lähettäjä|差出人|发件人|寄件者|보낸 사람|kimden|feladó|odesílatel|expeditor)\s*[:：]\s*\S/iu;
const otherLabel =
  /^(?:sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|envoyé|à|objet|enviado(?: el| em)?|fecha|para|asunto|inviato|data|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|dato|til|emne|lähetetty|vastaanottaja|aihe|wysłano|do|dw|temat|assunto|отправлено|дата|кому|тема|送信日時|日時|宛先|件名|发送时间|日期|收件人|主题|寄件日期|收件者|主旨|보낸 날짜|받는 사람|제목|gönderildi|kime|konu|elküldve|címzett|tárgy|odesláno|komu|předmět)\s*[:：]/iu;

const dateLabel = /^(?:date|datum|fecha|data|dato|дата|日時|日期)\s*[:：]/iu;
const subjectLabel =
  /^(?:subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|aihe|temat|тема|件名|主题|主旨|제목|konu|tárgy|předmět)\s*[:：]/iu;

/** Whether a block of mail headers starts here, as Outlook inserts it above quoted text. */
export function headerBlockAt(lines: readonly string[], at: number): boolean {
  const first = plain(lines[at]);
  if (!fromLabel.test(first) && !dateLabel.test(first)) return false;
  const labels = lines
    .slice(at, at + 8)
    .map(plain)
    .filter((line) => fromLabel.test(line) || otherLabel.test(line));
  // Requires a subject or an address: `From: Berlin, To: Paris, Date: Friday` is an itinerary.
  return (
    labels.length >= 3 &&
    labels.some((line) => fromLabel.test(line)) &&
    labels.some((line) => subjectLabel.test(line) || line.includes('@'))
  );
}
const plain = (line = ''): string => (line.length > 2_000 ? '' : line.replace(/[*>]/g, '').trim());

const mobile =
  /^(?:sent from (?:my |mail for |outlook|yahoo|proton|samsung|the |a ).{0,60}|sent via .{0,40}|sent with proton ?mail.{0,40}|get outlook for .{0,80}|yahoo mail: .{0,60}|von mein(?:em|er) .{0,40} gesendet|gesendet (?:von|mit|über) .{0,60}|diese nachricht wurde von mein.{0,60} gesendet\.?|outlook für .{0,60}|envoyé (?:de|depuis|à partir de) .{0,60}|télécharger outlook pour .{0,60}|enviado (?:desde|do meu|a partir de) .{0,60}|obtener outlook para .{0,60}|inviato da .{0,40}|verzonden vanaf .{0,40}|verstuurd vanaf .{0,40}|skickat från .{0,40}|sendt fra .{0,40}|lähetetty .{0,40}|wysłane z .{0,40}|отправлено (?:с|из) .{0,40}|iphoneから送信|(?:私の|わたしの)?.{0,12}から送信|发自我的.{0,20}|從我的.{0,20}傳送|나의 .{0,20}에서 보냄)$/iu;
export const isMobileLine = (line: string): boolean => line.length < 160 && mobile.test(line.replace(/[<(]https?:[^>)]*[>)]/g, '').trim());

export const isQuoteLine = (line: string): boolean => /^\s{0,2}>/.test(line);
const delimiters = Object.values(replyDelimiters);
export const isDelimiter = (line: string): boolean =>
  line.length < maxLineLength && line.includes('##-') && delimiters.some((delimiter) => line.includes(delimiter));
export const isMarker = (line: string): boolean => line.trim() === quoteMarker;
export const isOriginalLine = (line: string): boolean => line.length < maxLineLength && original.test(line.trim());
export const isForwardLine = (line: string): boolean => line.length < maxLineLength && forwarding.test(line.trim());
