import { modKey, switchSingleKeys, useSingleKeys } from '../lib/keyboard';
import { t } from '../lib/staff-texts';
import { Dialog } from '../ui/Dialog';
import { Kbd } from '../ui/Kbd';
import { Switch } from '../ui/Switch';

const groups: { title: string; keys: [string[], string][] }[] = [
  {
    title: t('app.everywhere'),
    keys: [
      [[modKey, 'K'], t('app.open_command_palette')],
      [['g', 'd'], t('app.go_to_dashboard')],
      [['g', 't'], t('app.go_to_tickets')],
      [['g', 'k'], t('app.go_to_articles')],
      [['g', 'a'], t('app.go_to_analytics')],
      [['g', 'i'], t('app.go_to_integration')],
      [['g', 'o'], t('app.go_to_organization')],
      [['g', 's'], t('app.go_to_settings')],
      [['c'], t('app.new_ticket')],
      [['/'], t('app.search')],
      [['z'], t('app.undo_last_change_of_ticket')],
      [['?'], t('app.this_list')],
    ],
  },
  {
    title: t('app.in_list'),
    keys: [
      [['j'], t('app.next_ticket')],
      [['k'], t('app.previous_ticket')],
      [['o'], t('app.open_or_enter')],
      [['x'], t('app.select')],
      [['e'], t('app.resolve')],
      [['s'], t('app.set_status')],
      [['p'], t('app.set_priority')],
      [['a'], t('app.assign')],
      [['u'], t('app.mark_as_unread_or_read')],
      [['h'], t('app.snooze')],
      [['v'], t('app.switch_row_height')],
    ],
  },
  {
    title: t('app.on_ticket'),
    keys: [
      [['r'], t('app.reply_to_customer')],
      [['n'], t('app.internal_note')],
      [[modKey, 'Enter'], t('app.send')],
      [['s'], t('app.set_status')],
      [['p'], t('app.set_priority')],
      [['a'], t('app.assign')],
      [['i'], t('app.assign_to_me')],
      [['/'], t('app.insert_canned_reply')],
      [['b'], t('app.insert_article')],
      [['t'], t('app.edit_tags')],
      [['w'], t('app.watch_or_stop_watching')],
      [['m'], t('app.merge_into_another_ticket')],
      [['l'], t('app.copy_link')],
      [['e'], t('app.mark_as_resolved')],
      [['h'], t('app.snooze')],
      [['u'], t('app.mark_as_unread')],
    ],
  },
];

export function ShortcutsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const on = useSingleKeys();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('app.keyboard_shortcuts')} wide>
      <div className="md:columns-2 md:gap-10">
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-xs text-muted">{title}</h3>
            <dl className="divide-y">
              {keys.map(([combination, meaning]) => (
                <div key={meaning} className="flex items-center justify-between gap-3 py-1">
                  <dt>{meaning}</dt>
                  <dd className="flex gap-1">
                    {combination.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="border-t pt-4">
        <Switch label={t('app.single_key_shortcuts')} checked={on} onChange={switchSingleKeys} />
      </div>
    </Dialog>
  );
}
