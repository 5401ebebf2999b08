/** The variables that `{{…}}` in a canned reply can refer to; they are replaced when it is inserted into a reply. */
export const macroVariables = {
  'customer.name': 'Customer name, or the address if there is none',
  'customer.email': 'Customer email',
  'ticket.number': 'Ticket number',
  'ticket.subject': 'Ticket subject',
  'agent.name': 'Name of the sender',
  'agent.first_name': 'First name of the sender',
  'organization.name': 'Organization name',
} as const;
export type MacroVariable = keyof typeof macroVariables;

const placeholder = /\{\{\s*([\w.]+)\s*\}\}/g;

/** Variable names in `text` that do not exist, as written. */
export const unknownVariables = (text: string): string[] =>
  [...text.matchAll(placeholder)].map((match) => match[1] ?? '').filter((name) => !(name in macroVariables));

/** Replaces the variables once: variables in the values are not replaced. */
export const fillMacro = (text: string, values: Record<MacroVariable, string>): string =>
  text.replace(placeholder, (whole, name: string) => (name in macroVariables ? values[name as MacroVariable] : whole));

/** `own` and `characters` limit the macros of one user. All shared macros are sent as one list, so its size must be limited. */
export const macroLimits = { name: 100, own: 500, characters: 500_000 } as const;
