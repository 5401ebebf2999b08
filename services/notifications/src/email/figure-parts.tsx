import type { CSSProperties } from 'react';
import type { EmailChart, EmailFigure, FigureChange } from './email-content';
import { oneLine } from './text';

/** The dark colors of these parts, for the style sheet of the email. */
export const darkFigures = (bar: string) => `.bar{background:${bar}!important}.good{color:#7FD8A6!important}.bad{color:#FFA59C!important}`;

const table: CSSProperties = { width: '100%', borderCollapse: 'collapse', margin: '0 0 24px' };
const ink = '#1B2226';
const soft = '#59656C';
const toneColors: Record<FigureChange['tone'], string> = { good: '#1B7340', bad: '#B3261E', neutral: soft };
const toneClasses: Record<FigureChange['tone'], string> = { good: 'good', bad: 'bad', neutral: 'soft' };

const figureCell: CSSProperties = { padding: '8px 0', borderTop: '1px solid #DDE3E6', verticalAlign: 'top', color: ink };

const Figure = ({ figure: { label, value, change } }: { figure: EmailFigure }) => (
  <tr>
    <th
      scope="row"
      className="ink rule"
      align="left"
      style={{ ...figureCell, width: '44%', paddingRight: '12px', fontSize: '15px', lineHeight: '24px', fontWeight: 400 }}
    >
      {label}
    </th>
    <td className="ink rule" align="right" style={{ ...figureCell, fontSize: '18px', lineHeight: '24px', fontWeight: 600 }}>
      {value}
      {change && (
        <div
          className={toneClasses[change.tone]}
          style={{ color: toneColors[change.tone], fontSize: '13px', lineHeight: '18px', fontWeight: 400 }}
        >
          {change.arrow && <span aria-hidden="true">{change.arrow} </span>}
          {change.text}
        </div>
      )}
    </td>
  </tr>
);

export const FigureTable = ({ figures }: { figures: EmailFigure[] }) => (
  <table cellPadding={0} cellSpacing={0} style={table}>
    <tbody>
      {figures.map((figure) => (
        <Figure key={figure.label} figure={figure} />
      ))}
    </tbody>
  </table>
);

/** The longest bar takes this part of its column; the rest is for the value next to it. */
const longestBarPercent = 45;
const smallText: CSSProperties = { fontSize: '13px', lineHeight: '16px', color: ink };
const headerText: CSSProperties = { ...smallText, color: soft, fontWeight: 400, padding: '0 8px 4px 0' };

/** A table cell with a background: the only bar that every mail program draws, even with images off. */
const Bar = ({ share, value, color }: { share: number; value: string; color: string }) => {
  // Anything above zero is visible.
  const percent = Math.ceil(Math.min(Math.max(share, 0), 1) * longestBarPercent);
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} style={{ width: '100%', borderCollapse: 'collapse' }}>
      <tbody>
        <tr>
          {percent > 0 && (
            <td className="bar" width={`${percent}%`} style={{ backgroundColor: color, fontSize: '1px', lineHeight: '1px' }}>
              {'\u00a0'}
            </td>
          )}
          <td className="ink" style={{ ...smallText, paddingLeft: percent > 0 ? '6px' : 0, whiteSpace: 'nowrap' }}>
            {value}
          </td>
        </tr>
      </tbody>
    </table>
  );
};

export const Chart = ({ chart: { heading, summary, series, rows }, color }: { chart: EmailChart; color: string }) => (
  <>
    <h2 className="ink" style={{ margin: '0 0 4px', fontSize: '16px', lineHeight: '24px', color: ink }}>
      {heading}
    </h2>
    <p
      className="soft"
      style={{ margin: rows.length > 0 ? '0 0 8px' : '0 0 24px', fontSize: '14px', lineHeight: '21px', color: soft }}
      dir="auto"
    >
      {summary}
    </p>
    {rows.length > 0 && (
      <table cellPadding={0} cellSpacing={0} style={table}>
        {series.length > 1 && (
          <thead>
            <tr>
              <td style={headerText} />
              {series.map((name) => (
                <th key={name} scope="col" className="soft" align="left" style={headerText}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(({ label, bars }) => (
            <tr key={label}>
              <th
                scope="row"
                className="ink"
                align="left"
                style={{ ...smallText, padding: '3px 10px 3px 0', fontWeight: 400, whiteSpace: 'nowrap', width: '1%' }}
              >
                {oneLine(label, 40)}
              </th>
              {bars.map(({ share, value }, index) => (
                <td key={index} style={{ padding: '3px 8px 3px 0' }} width={`${Math.floor(78 / bars.length)}%`}>
                  <Bar share={share} value={value} color={color} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </>
);
