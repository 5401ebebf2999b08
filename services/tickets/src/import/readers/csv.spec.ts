import { Readable } from 'node:stream';
import { csvReader } from './csv';
import { describeCsv, csvRows } from './csv-head';
import { readAll, TestUploads } from './testing';

const uploads = new TestUploads();
afterAll(() => uploads.remove());
const csv = (content: string | Uint8Array, name = 'tickets.csv', file = {}) => uploads.write(content, name, file);
const read = (content: string | Uint8Array, name = 'tickets.csv', input = {}) => readAll(csvReader, [csv(content, name)], input);
const tickets = (rows: string, columns = 'ID,Subject,Customer email,Created at') => `${columns}\n${rows}`;

describe('CSV files', () => {
  it.each([
    ['UTF-8', Buffer.from('Größe 😀 €')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffGröße 😀 €')],
  ])('reads %s', async (_encoding, subject) => {
    const file = Buffer.concat([
      subject.subarray(0, subject[0] === 0xef ? 3 : 0),
      Buffer.from('Subject,Email\n'),
      subject.subarray(subject[0] === 0xef ? 3 : 0),
      Buffer.from(',a@b.co\n'),
    ]);
    expect((await read(file)).records.ticket.map((ticket) => ticket.subject)).toEqual(['Größe 😀 €']);
  });

  it('reads UTF-16 in both orders, Windows-1252 and ISO-8859-15, also where only the last bytes are not UTF-8', async () => {
    const utf16 = Buffer.from('\ufeffSubject;Email\nGröße €;a@b.co\n', 'utf16le');
    for (const bytes of [utf16, Buffer.from(utf16).swap16(), utf16.subarray(2)])
      expect((await read(bytes)).records.ticket[0]!.subject).toBe('Größe €');
    const filler = 'x,a@b.co\n'.repeat(1_000);
    const latin = (euro: number) =>
      Buffer.concat([Buffer.from(`Subject,Email\n${filler}`), Buffer.from([0x47, 0xf6, 0x20, euro]), Buffer.from(',a@b.co\n')]);
    for (const euro of [0x80, 0xa4]) expect((await read(latin(euro))).records.ticket.at(-1)!.subject).toBe('Gö €');
  });

  it('reports damaged UTF-8, and refuses encodings that it does not know', async () => {
    const damaged = Buffer.concat([Buffer.from('Subject,Email\nGröße äöü ßßß,a@b.co\n'), Buffer.from([0xc3]), Buffer.from(',a@b.co\n')]);
    const { problems, records } = await read(damaged);
    expect([problems, records.ticket.map((ticket) => ticket.subject)]).toEqual([
      ['value.replaced tickets.csv: utf-8'],
      ['Größe äöü ßßß', '\ufffd'],
    ]);
    const shiftJis = Buffer.from('93fa967b8cea82cc8388835e8381815b838b'.repeat(20), 'hex');
    await expect(read(Buffer.concat([Buffer.from('Subject,Email\n'), shiftJis]))).rejects.toMatchObject({ failure: 'source.unreadable' });
    await expect(read(Buffer.from('GIF89a\0\0\0\0\x01\x02\x03'))).rejects.toMatchObject({ failure: 'source.unreadable' });
    await expect(read('\n  \n')).rejects.toMatchObject({ failure: 'source.empty' });
  });

  it('detects the delimiter, also behind quotes and in the line that Excel adds', async () => {
    for (const delimiter of [',', ';', '\t', '|']) {
      const rows = [
        ['Subject', 'Email', 'Tags'],
        [`"a, b; c | d"`, 'a@b.co', 'x'],
        ['second', 'c@d.co', 'y'],
      ];
      const content = rows.map((row) => row.join(delimiter)).join('\r\n');
      for (const start of ['', `sep=${delimiter}\r\n`]) {
        const { records } = await read(start + content);
        expect(records.ticket.map(({ subject, tags }) => [subject, tags])).toEqual([['a, b; c | d', ['x']], ['second', ['y']]]); // prettier-ignore
      }
    }
  });

  it('continues after ragged rows, and numbers the lines of the file', async () => {
    const content = tickets(
      '1,"two\nlines ""quoted""",a@b.co,2024-03-01\n2,short\n\n3,a,b@c.co,2024-03-01,more\n4,in "the" text,c@d.co,2024-03-01,,\n5,x,,2024-03-01\n',
    );
    const { records, problems } = await read(content);
    expect(records.ticket.map(({ key, subject }) => [key, subject])).toEqual([['1', 'two lines "quoted"'], ['4', 'in "the" text']]); // prettier-ignore
    expect(problems).toEqual([
      'line.ragged tickets.csv:4 ticket',
      'line.ragged tickets.csv:6 ticket',
      'value.missing tickets.csv:8 ticket 5 customer_email',
    ]);
  });

  it('reports a quote that is never closed, and keeps the rows before it', async () => {
    const { records, problems } = await read(tickets('1,a,a@b.co,2024-03-01\n2,"b,a@b.co,2024-03-01\n3,c,a@b.co,2024-03-01\n'));
    expect([records.ticket.map(({ key }) => key), problems]).toEqual([['1'], ['line.unreadable tickets.csv:3 ticket']]);
  });

  it('keeps formulas as text and leaves out characters that cannot be stored', async () => {
    const { records } = await read(
      tickets('"=HYPERLINK(""http://evil"",""x"")",=1+1,a@b.co,2024-03-01\n2,nul\0 and \u0007bell,a@b.co,2024-03-01'),
    );
    expect(records.ticket.map(({ key, subject }) => [key, subject])).toEqual([['=HYPERLINK("http://evil","x")', '=1+1'], ['2', 'nul and bell']]); // prettier-ignore
  });

  it('finds out for the whole column whether the day or the month is first', async () => {
    const times = async (...dates: string[]) => {
      const { records, problems } = await read(tickets(dates.map((date, at) => `${at},s,a@b.co,"${date}"`).join('\n')));
      return [records.ticket.map((ticket) => ticket.created_at.replace(':00.000Z', '')), problems];
    };
    expect(await times('03/04/2024 10:00', '25/04/2024 11:30')).toEqual([['2024-04-03T10:00', '2024-04-25T11:30'], []]);
    expect(await times('03/04/2024 10:00 AM', '04/25/2024 11:30 PM')).toEqual([['2024-03-04T10:00', '2024-04-25T23:30'], []]);
    expect(await times('03/04/2024', '03/03/2024')).toEqual([
      ['2024-03-04T00:00', '2024-03-03T00:00'],
      ['value.replaced tickets.csv: created_at'],
    ]);
    expect(await times('03.04.2024', '2024-03-01 10:00', '1709287200', '1709287200000', '45352.4166667')).toEqual([
      ['2024-04-03T00:00', '2024-03-01T10:00', '2024-03-01T10:00', '2024-03-01T10:00', '2024-03-01T10:00'],
      [],
    ]);
    expect(
      await times('2024-03-01T10:00:00+02:00', '01/Mar/24 10:00 AM', 'March 1, 2024', '1. März 2024', '1 mars 2024', '1 de marzo de 2024'),
    ).toEqual([
      ['2024-03-01T08:00', '2024-03-01T10:00', '2024-03-01T00:00', '2024-03-01T00:00', '2024-03-01T00:00', '2024-03-01T00:00'],
      [],
    ]);
  });

  it('reports dates that do not exist or cannot be expressed', async () => {
    const dates = [
      '31/02/2024',
      'NaN',
      '0000-01-01',
      '+275760-09-13T00:00:00Z',
      '275760-09-13',
      'tomorrow',
      '99999999999999',
      '2024-13-01',
      '2024-03-01 25:00',
      '-1',
    ];
    const { records, problems } = await read(tickets(dates.map((date, at) => `${at},s,a@b.co,"${date}"`).join('\n')));
    expect(records.ticket).toEqual([]);
    expect(problems).toEqual(dates.map((date, at) => `time.invalid tickets.csv:${at + 2} ticket ${at} created_at ${date}`));
  });

  it('gives rows without an ID keys that a second import finds again', async () => {
    const columns = 'Subject,Email\n';
    const keys = async (content: string) => (await read(columns + content)).records.ticket.map(({ key }) => key);
    const [a, b, again] = await keys('same,a@b.co\nother,a@b.co\nsame,a@b.co\n');
    expect(again).toBe(`${a}-2`);
    expect(await keys('new,a@b.co\nother,a@b.co\nsame,a@b.co\nsame,a@b.co\n')).toEqual([expect.any(String), b, a, again]);
  });

  it('maps statuses and priorities in the languages of the product, and lets an admin decide about others', async () => {
    const rows = [
      ['Gelöst', 'Dringend'],
      ['En attente', 'Élevée'],
      ['対応中', '高'],
      ['Waiting on 3rd party', 'P7'],
      ['مغلق', 'niski'],
      ['', ''],
    ];
    const content = `ID,Subject,Email,Status,Priority\n${rows.map(([status, priority], at) => `${at},s,a@b.co,${status},${priority}`).join('\n')}`;
    const first = await read(content);
    expect(first.records.ticket.map(({ status, priority }) => `${status} ${priority}`)).toEqual([
      'resolved urgent', 'waiting_for_customer high', 'in_progress high', 'waiting_for_customer medium', 'closed low', 'open medium',
    ]); // prettier-ignore
    expect(first.values).toEqual(['status Waiting on 3rd party → waiting_for_customer', 'priority P7 → medium']);
    const second = await read(content, 'tickets.csv', { statuses: new Map([['Waiting on 3rd party', 'in_progress']]) });
    expect(second.records.ticket[3]!.status).toBe('in_progress');
  });

  it('reads comments, customers, articles and custom fields', async () => {
    const files = [
      csv('ID,Subject,Email,Assignee,Tags,Custom field (Order number),Company size\n7,s,a@b.co,Agent@Team.co,"x; y,x",12,9\n', 'tickets.csv'),
      csv('Ticket ID,Comment,Author email,Internal,Created at\n7,from customer,a@b.co,no,2024-03-01\n7,from agent,agent@team.co,,2024-03-02\n7,note,boss@team.co,yes,2024-03-03\n8,<p>by <b>bot</b></p>,,false,2024-03-04\n', 'comments.csv'),
      csv('Email,Name\nA@b.co,Ada\n', 'contacts.csv'),
      csv('Title,Body,Category,Language,Visibility,Status\nT,<p>Hello <b>you</b></p>,FAQ,Deutsch,Internal,Draft\nU,plain *text*,FAQ,pt-PT,,\n', 'articles.csv'),
    ]; // prettier-ignore
    const { records, problems } = await readAll(csvReader, files, { custom_fields: new Map([['order_number', 'number']]) });
    expect(problems).toEqual([]);
    expect(records.ticket).toMatchObject([
      { key: '7', number: '7', assignee: 'agent@team.co', tags: ['x', 'y'], custom_fields: { order_number: 12 } },
    ]);
    expect(records.comment.map(({ author, is_internal, content }) => [author, is_internal, content])).toEqual([
      [{ kind: 'customer', email: 'a@b.co' }, false, 'from customer'],
      [{ kind: 'teammate', key: 'agent@team.co' }, false, 'from agent'],
      [{ kind: 'teammate', key: 'boss@team.co' }, true, 'note'],
      [{ kind: 'other', name: null }, false, 'by **bot**'],
    ]);
    expect(records.teammate.map(({ key }) => key)).toEqual(['agent@team.co', 'boss@team.co']);
    expect(records.customer).toEqual([{ key: 'a@b.co', email: 'a@b.co', name: 'Ada' }]);
    expect(records.article).toMatchObject([
      { title: 'T', body: 'Hello **you**', language: 'de', visibility: 'internal', state: 'draft', category: 'category-FAQ' },
      { title: 'U', body: 'plain *text*', language: 'pt-BR', visibility: 'public', state: 'published', category: 'category-FAQ' },
    ]);
    expect(records.article_category).toHaveLength(1);
  });

  it.each([
    ['Zendesk', 'Id,Subject,Description,Status,Priority,Requester,Requester email,Assignee,Created at,Updated at,Solved at,Tags,Via', 'tickets', { id: 'Id', number: 'Id', customer_email: 'Requester email', customer_name: 'Requester', resolved_at: 'Solved at', channel: 'Via' }],
    ['Freshdesk', 'Ticket ID,Subject,Status,Priority,Source,Type,Agent,Group,Created time,Resolved time,Last update time,Tags,Full name,Email', 'tickets', { id: 'Ticket ID', customer_email: 'Email', customer_name: 'Full name', assignee: 'Agent', created_at: 'Created time', category: 'Type' }],
    ['Jira', 'Summary,Issue key,Issue id,Issue Type,Status,Priority,Assignee,Reporter,Created,Updated,Resolved,Labels,Description', 'tickets', { id: 'Issue key', subject: 'Summary', customer_email: 'Reporter', category: 'Issue Type', tags: 'Labels' }],
    ['osTicket', 'Ticket Number,Date Created,Subject,From,From Email,Priority,Department,Help Topic,Source,Current Status,Last Updated,Agent Assigned', 'tickets', { id: 'Ticket Number', created_at: 'Date Created', customer_email: 'From Email', category: 'Help Topic', status: 'Current Status' }],
    ['German', 'Ticketnummer;Betreff;Beschreibung;Zustand;Priorität;Kunden-Email;Bearbeiter;Erstellt am', 'tickets', { subject: 'Betreff', status: 'Zustand', priority: 'Priorität', customer_email: 'Kunden-Email', assignee: 'Bearbeiter', created_at: 'Erstellt am' }],
    ['French', 'Objet;Statut;Priorité;Adresse e-mail;Nom;Créé le', 'tickets', { subject: 'Objet', status: 'Statut', customer_email: 'Adresse e-mail', customer_name: 'Nom', created_at: 'Créé le' }],
    ['Spanish', 'Asunto,Estado,Prioridad,Correo electrónico,Fecha de creación', 'tickets', { subject: 'Asunto', customer_email: 'Correo electrónico', created_at: 'Fecha de creación' }],
    ['comments', 'Ticket ID,Comment ID,Author,Author email,Message,Private,Created', 'comments', { ticket_id: 'Ticket ID', id: 'Comment ID', content: 'Message', is_internal: 'Private' }],
    ['contacts', 'Full Name,Email,Phone', 'customers', { email: 'Email', name: 'Full Name' }],
    ['articles', 'Article ID,Title,Body,Section,Locale', 'articles', { title: 'Title', body: 'Body', category: 'Section', language: 'Locale' }],
  ])('recognizes the columns of %s', async (name, columns, kind, mapping) => {
    const { path } = csv(`${columns}\n${'x'.repeat(300)}\n\n`);
    const described = await describeCsv(path, `${name}.csv`);
    expect(described).toMatchObject({ columns: columns.split(/[,;]/), kind, mapping });
    expect(described.sample[0]![0]).toHaveLength(200);
  }); // prettier-ignore

  it('uses the mapping of the admin, and refuses a file without required columns', async () => {
    const mapping = { subject: 'B', customer_email: 'A', status: null };
    const { records } = await readAll(csvReader, [csv('A,B,B\na@b.co,first,second\n', 'x.csv', { kind: 'tickets', mapping })]);
    expect(records.ticket).toMatchObject([{ subject: 'first', customer: { email: 'a@b.co' } }]);
    expect((await describeCsv(csv('A,B,B,\n1,2,3,4').path, 'x.csv')).columns).toEqual(['A', 'B', 'B (2)', 'Column 4']);
    await expect(read('foo,bar\n1,2\n')).rejects.toMatchObject({ failure: 'source.unreadable' });
    await expect(readAll(csvReader, [csv('A\n1\n', 'x.csv', { kind: 'tickets', mapping })])).rejects.toMatchObject({
      failure: 'source.unreadable',
    });
    const wide = `Subject,Email,${Array.from({ length: 300 }, (_, at) => `c${at}`).join(',')}`;
    expect((await describeCsv(csv(`${wide}\n`).path, 'x.csv')).columns).toHaveLength(200);
  });

  it('reads no further ahead in a large file than a few chunks, and skips a line that is too long', async () => {
    const chunk = Buffer.from(`1,"${'x'.repeat(1_000)}",a@b.co,2024-03-01\n`.repeat(64));
    const long = Buffer.alloc(1024 ** 2, 'y');
    let produced = 0;
    function* source() {
      for (let count = 0; count < 110; count++) {
        if (count === 100) yield* [Buffer.from('2,"'), long, long, long, long, long, Buffer.from('",a@b.co,\n')];
        produced += 64;
        yield chunk;
      }
    }
    const format = { encoding: 'utf-8' as const, delimiter: ',', hasSeparatorLine: false, isDamaged: false };
    let rows = 0;
    let ahead = 0;
    for await (const line of csvRows(Readable.from(source()) as AsyncIterable<Buffer>, format, 4 * 1024 ** 2)) {
      if ('cells' in line) rows++;
      else expect(line).toEqual({ error: 'line.too_long', line: 6_401 });
      ahead = Math.max(ahead, produced - rows);
    }
    expect(rows).toBe(7_040);
    expect(ahead).toBeLessThan(100 * 64);
  });
});
