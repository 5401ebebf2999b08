import { modKey, switchSingleKeys, useSingleKeys } from '../lib/keyboard';
import { Dialog } from '../ui/Dialog';
import { Kbd } from '../ui/Kbd';
import { Switch } from '../ui/Switch';

const groups: { title: string; keys: [string[], string][] }[] = [
  {
    title: 'Everywhere',
    keys: [
      [[modKey, 'K'], 'Search, jump to a page or run a command'],
      [['g', 'd'], 'Go to the dashboard'],
      [['g', 't'], 'Go to the tickets'],
      [['g', 'a'], 'Go to analytics (administrators and managers)'],
      [['g', 'i'], 'Go to the task-tool integration (administrators)'],
      [['g', 'o'], 'Go to the organization (administrators)'],
      [['g', 's'], 'Go to the settings (administrators)'],
      [['c'], 'New ticket'],
      [['/'], 'Search'],
      [['z'], 'Undo the last change of a ticket'],
      [['?'], 'This list'],
    ],
  },
  {
    title: 'In the list',
    keys: [
      [['j'], 'Next ticket'],
      [['k'], 'Previous ticket'],
      [['o'], 'Open (or Enter)'],
      [['x'], 'Select'],
      [['e'], 'Resolve'],
      [['s'], 'Set status'],
      [['p'], 'Set priority'],
      [['a'], 'Assign'],
      [['u'], 'Mark as unread or read'],
      [['h'], 'Snooze'],
      [['v'], 'Switch between comfortable and compact rows'],
    ],
  },
  {
    title: 'On a ticket',
    keys: [
      [['r'], 'Reply to the customer'],
      [['n'], 'Internal note'],
      [[modKey, 'Enter'], 'Send'],
      [['s'], 'Set status'],
      [['p'], 'Set priority'],
      [['a'], 'Assign'],
      [['i'], 'Assign to me'],
      [['/'], 'Insert a canned reply (in an empty reply)'],
      [['t'], 'Edit tags'],
      [['w'], 'Watch or stop watching'],
      [['m'], 'Merge into another ticket'],
      [['l'], 'Copy link'],
      [['e'], 'Mark as resolved'],
      [['h'], 'Snooze'],
      [['u'], 'Mark as unread'],
    ],
  },
];

export function ShortcutsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const on = useSingleKeys();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <div className="flex flex-col gap-5">
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1 text-xs text-muted">{title}</h3>
            <dl className="divide-y">
              {keys.map(([combination, meaning]) => (
                <div key={meaning} className="flex items-center justify-between py-1.5">
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
        <div className="border-t pt-4">
          <Switch label="Single-key shortcuts" checked={on} onChange={switchSingleKeys} />
        </div>
      </div>
    </Dialog>
  );
}
