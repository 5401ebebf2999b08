/** What `{{…}}` in a canned reply stands for when it is put into a reply. */
export const macroVariables = {
  'customer.name': 'Name of the customer, or else the address',
  'customer.email': 'Address of the customer',
  'ticket.number': 'Number of the ticket',
  'ticket.subject': 'Subject of the ticket',
  'agent.name': 'Name of whoever replies',
  'agent.first_name': 'First name of whoever replies',
  'organization.name': 'Name of the organization',
} as const;
export type MacroVariable = keyof typeof macroVariables;

const placeholder = /\{\{\s*([\w.]+)\s*\}\}/g;

/** Names in `text` that no variable has, as they were written. */
export const unknownVariables = (text: string): string[] =>
  [...text.matchAll(placeholder)].map((match) => match[1] ?? '').filter((name) => !(name in macroVariables));

/** Puts the values into the text, once: what a value contains is not looked at again. */
export const fillMacro = (text: string, values: Record<MacroVariable, string>): string =>
  text.replace(placeholder, (whole, name: string) => (name in macroVariables ? values[name as MacroVariable] : whole));

/** `own` and `characters`: of one person's together. All that are shared are read as one list: it must stay one that can be sent. */
export const macroLimits = { name: 100, own: 500, characters: 500_000 } as const;
