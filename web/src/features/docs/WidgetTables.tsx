import { widgetDefaults, widgetPositions, widgetThemes } from '@tandem/contracts/values';
import type { ReactNode } from 'react';

const attributes: [name: string, meaning: string, otherwise: string][] = [
  ['data-organization', 'Your subdomain', 'required'],
  ['data-theme', `${widgetThemes.join(', ')}; overrides your setting on this site`, 'your widget settings'],
  ['data-color-primary', 'Hex color of the launcher, header and buttons', 'your branding'],
  ['data-color-secondary', 'Hex color of the badge and of your replies', 'your branding'],
  ['data-position', widgetPositions.join(', '), widgetDefaults.position],
  ['data-trigger-text', 'Launcher text, at most 40 characters', widgetDefaults.trigger_text],
  ['data-placeholder-subject', 'Placeholder for the subject', 'What is it about?'],
  ['data-placeholder-message', 'Placeholder for the description', 'What did you expect, and what happened instead?'],
  ['data-api-key', 'Accepted for older snippets; has no effect', 'none'],
];
const commands: [call: string, meaning: string][] = [
  ["Tandem('open')", 'Opens the panel, for example from your own button'],
  ["Tandem('close')", 'Closes the panel'],
  ["Tandem('toggle')", 'Opens or closes the panel'],
  ["Tandem('identify', { token })", 'Identifies the visitor; pass null when they sign out'],
  ["Tandem('prefill', { subject, description, email, name })", 'Fills empty fields'],
  ["Tandem('on', event, listener)", 'Fires on open, close, submit ({ ticket_number }) and unread ({ count })'],
];

const Table = ({ caption, head, children }: { caption: string; head: string[]; children: ReactNode }) => (
  <div className="mt-3 overflow-x-auto" tabIndex={0} role="region" aria-label={caption}>
    <table className="w-full text-left text-md">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b text-muted">
          {head.map((name) => (
            <th key={name} scope="col" className="py-2 pr-4 font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
const Row = ({ cells: [name, ...rest] }: { cells: string[] }) => (
  <tr className="border-b align-top last:border-b-0">
    <th scope="row" className="py-2 pr-4 font-normal">
      <code>{name}</code>
    </th>
    {rest.map((cell) => (
      <td key={cell} className="py-2 pr-4">
        {cell}
      </td>
    ))}
  </tr>
);

export const AttributeTable = () => (
  <Table caption="Attributes of the script tag" head={['Attribute', 'Value', 'Default']}>
    {attributes.map((cells) => (
      <Row key={cells[0]} cells={cells} />
    ))}
  </Table>
);
export const CommandTable = () => (
  <Table caption="Commands" head={['Call', 'Effect']}>
    {commands.map((cells) => (
      <Row key={cells[0]} cells={cells} />
    ))}
  </Table>
);
