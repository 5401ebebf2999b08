import type { ReactNode } from 'react';

interface DocsTableProps {
  caption: string;
  head: string[];
  rows: ReactNode[][];
  /** Whether the first column is code. */
  isCode?: boolean;
}

/** A table that scrolls sideways on a phone. The first cell of a row is its heading. */
export const DocsTable = ({ caption, head, rows, isCode = true }: DocsTableProps) => (
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
      <tbody>
        {rows.map(([name, ...cells], at) => (
          <tr key={at} className="border-b align-top last:border-b-0">
            <th scope="row" className="py-2 pr-4 font-normal">
              {isCode ? <code className="whitespace-nowrap">{name}</code> : name}
            </th>
            {cells.map((cell, column) => (
              <td key={column} className="min-w-32 py-2 pr-4">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
