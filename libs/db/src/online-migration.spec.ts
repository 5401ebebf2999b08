import { isOnline, lockingStatements, onlineStatements } from './online-migration';

describe('an online migration', () => {
  it('is recognized by its first line', () => {
    expect([isOnline('-- online\nselect 1'), isOnline('-- why\n-- online\n'), isOnline('select 1')]).toEqual([true, false, false]);
  });

  it('has statements that can be repeated', () => {
    const sql = `-- online
      -- For the list; of all tickets.
      create index concurrently if not exists tickets_x on tickets (x)
        where x is not null;
      drop index concurrently if exists tickets_y;
      alter table tickets validate constraint tickets_x_check;`;
    expect(onlineStatements(sql)).toEqual([
      'create index concurrently if not exists tickets_x on tickets (x) where x is not null',
      'drop index concurrently if exists tickets_y',
      'alter table tickets validate constraint tickets_x_check',
    ]);
  });

  it.each([
    '-- online\ncreate index tickets_x on tickets (x)',
    '-- online\ncreate index concurrently tickets_x on tickets (x)',
    '-- online\nupdate tickets set x = 1',
    '-- online\n',
  ])('cannot be %j', (sql) => expect(() => onlineStatements(sql)).toThrow('an online migration'));
});

describe('a migration in a transaction', () => {
  it('locks an existing table by building an index or checking all rows', () => {
    expect(
      lockingStatements(`
        create table fresh (id uuid primary key);
        create index fresh_id on fresh (id);
        create index tickets_x on tickets (x);
        alter table tickets add column x integer;
        alter table tickets add constraint x_check check (x > 0);
        alter table tickets add constraint y_check check (y > 0) not valid;
        alter table tickets add foreign key (x) references fresh (id);`),
    ).toEqual([
      'create index tickets_x on tickets (x)',
      'alter table tickets add constraint x_check check (x > 0)',
      'alter table tickets add foreign key (x) references fresh (id)',
    ]);
  });
});
