import { widgetDefaults, widgetPositions, widgetThemes } from '@tandem/contracts/values';
import { DocsTable } from './DocsTable';

const attributes: [name: string, type: string, meaning: string, otherwise: string][] = [
  ['data-organization', 'string', 'Your subdomain', 'required'],
  ['data-theme', widgetThemes.join(', '), 'Overrides your setting on this site', 'your widget settings'],
  ['data-color-primary', 'hex color', 'Launcher, header and buttons', 'your branding'],
  ['data-color-secondary', 'hex color', 'Badge and your replies', 'your branding'],
  ['data-position', widgetPositions.join(', '), 'Position of the launcher', widgetDefaults.position],
  ['data-trigger-text', 'string', 'Launcher text, at most 40 characters', widgetDefaults.trigger_text],
  ['data-placeholder-subject', 'string', 'Placeholder for the subject', 'What is it about?'],
  ['data-placeholder-message', 'string', 'Placeholder for the description', 'What did you expect, and what happened instead?'],
  ['data-lang', 'language tag', 'The language of the widget, if your settings offer it', 'the visitor’s'],
  ['data-field-…', 'string', 'The value of a custom field, such as data-field-order-number for the key order_number', 'none'],
  ['data-api-key', 'string', 'Accepted for older snippets; has no effect', 'none'],
];
const commands: [call: string, meaning: string][] = [
  ["Tandem('open')", 'Opens the panel, for example from your own button'],
  ["Tandem('close')", 'Closes the panel'],
  ["Tandem('toggle')", 'Opens or closes the panel'],
  ["Tandem('identify', { token })", 'Identifies the visitor; pass null when they sign out'],
  ["Tandem('prefill', { subject, description, email, name })", 'Fills empty fields'],
  ["Tandem('prefill', { custom_fields: { order_number: '48213' } })", 'Sets custom fields by their keys, like data-field-…'],
  ["Tandem('on', event, listener)", 'Fires on open, close, submit ({ ticket_number }) and unread ({ count })'],
];

export const AttributeTable = () => (
  <DocsTable caption="Attributes of the script tag" head={['Attribute', 'Type', 'Meaning', 'Default']} rows={attributes} />
);
export const CommandTable = () => <DocsTable caption="Commands" head={['Call', 'Effect']} rows={commands} />;
