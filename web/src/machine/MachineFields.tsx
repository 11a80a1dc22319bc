// The fields of the machine's editor.
import type { ComponentChildren } from 'preact';
import { plural } from '../format';
import { IconButton } from '../widgets/IconButton';
import { NumberInput } from '../widgets/NumberInput';
import type { FieldRange } from './machine_ranges';

interface RowsProps<Row> {
  title: string;
  heads: string[]; // of the columns
  rows: Row[];
  add: string;
  blank: Row;
  rare?: (row: Row) => boolean;
  onChange: (rows: Row[]) => void;
  children: (row: Row, set: (part: Partial<Row>) => void, of: string) => ComponentChildren;
}

/** A list of rows that can be added to and taken from. Rare ones are folded. */
export function Rows<Row extends object>({ title, heads, rows, add, blank, rare, onChange, children }: RowsProps<Row>) {
  const noun = title.split(',')[0]!.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
  const folded = (i: number) => rare?.(rows[i]!) === true;
  const hidden = rows.filter((_, i) => folded(i)).length;
  const lines = rows.map((row, i) => {
    const of = `${noun} ${i + 1}`;
    return (
      <div key={i} class="row">
        {children(row, part => onChange(rows.map((other, j) => (j === i ? { ...row, ...part } : other))), of)}
        <IconButton
          icon="close"
          label={`Remove ${of}`}
          class="ghost small"
          onClick={() => onChange(rows.filter((_, j) => j !== i))}
        />
      </div>
    );
  });
  return (
    <fieldset class="rows">
      <legend>{title}</legend>
      <div class="row-grid" style={{ '--columns': heads.length }}>
        {rows.length > 0 && (
          <div class="row muted" aria-hidden="true">
            {heads.map(head => (
              <span key={head}>{head}</span>
            ))}
          </div>
        )}
        {lines.filter((_, i) => !folded(i))}
      </div>
      {hidden > 0 && (
        <details>
          <summary>{plural(hidden, `more ${noun}`)}</summary>
          <div class="row-grid" style={{ '--columns': heads.length }}>
            {lines.filter((_, i) => folded(i))}
          </div>
        </details>
      )}
      <button type="button" class="link" onClick={() => onChange([...rows, { ...blank }])}>
        {add}
      </button>
    </fieldset>
  );
}

interface FieldProps {
  label: string;
  value: string;
  onInput: (text: string) => void;
}

export const Text = ({ label, value, onInput }: FieldProps) => (
  <input
    type="text"
    aria-label={label}
    title={label}
    value={value}
    onInput={event => onInput(event.currentTarget.value)}
  />
);

/** A number that may be missing; one out of its range is refused, and stays until it is corrected. */
export const FigureInput = ({ value, onInput, ...field }: FieldProps & FieldRange) => (
  <NumberInput
    value={value === '' ? undefined : Number(value)}
    optional
    held
    onInput={number => onInput(number === undefined ? '' : String(number))}
    {...field}
  />
);
