// Maps the columns of a table to times, shapes, FLOPs and bytes, where their headers are not enough.
import { useState } from 'preact/hooks';
import { askedColumns, readColumns, type AskedColumns } from './asked_columns';
import { Dialog } from '../widgets/Dialog';
import { NumberInput } from '../widgets/NumberInput';
import { Select } from '../widgets/Select';
import { withCode } from '../widgets/Sentence';

/** The dialog, while a table waits for its columns. */
export function ColumnsDialog() {
  const asked = askedColumns.value;
  return asked && <Columns key={asked.file.name} {...asked} />;
}

function Columns({ file, refused, columns, choices, chosen: before }: AskedColumns) {
  const [chosen, setChosen] = useState(before);
  const choose = (header: string, as: string) => {
    const { [header]: _, ...others } = chosen;
    setChosen(as === BY_HEADER ? others : { ...others, [header]: as });
  };
  return (
    <Dialog title={`Columns of ${file.name}`} onClose={() => (askedColumns.value = null)}>
      <form
        class="columns-form"
        onSubmit={event => {
          event.preventDefault();
          readColumns(chosen);
        }}
      >
        {refused && <p class="warning">{withCode(refused)}</p>}
        <p>
          Each row needs a time, or its work: FLOPs, a shape, bytes or a rate. An efficiency needs both. If a header has
          no unit, choose what its column means.
        </p>
        <div class="scroll-x">
          <table>
            <thead>
              <tr>
                <th scope="col">Column</th>
                <th scope="col">First rows</th>
                <th scope="col">Meaning</th>
              </tr>
            </thead>
            <tbody>
              {columns.map(({ header, use, as, unit, first }) => (
                <tr key={header}>
                  <th scope="row">{header}</th>
                  <td class="muted">{first.join(' · ')}</td>
                  <td>
                    <Select
                      label={header}
                      value={clockOf(chosen[header]) ? AT_CLOCK : (chosen[header] ?? BY_HEADER)}
                      options={[
                        [BY_HEADER, USED[use](unit ? `${as}, ${unit}` : as)],
                        ...choices
                          .filter(choice => !/ at 1 GHz$/.test(choice.header))
                          .map(
                            choice =>
                              [
                                choice.header,
                                choice.header === AT_CLOCK ? 'cycles of one run, at a clock' : choice.meaning,
                              ] as const,
                          ),
                      ]}
                      onChange={meaning => choose(header, meaning)}
                    />
                    {clockOf(chosen[header]) && (
                      <label>
                        {' '}
                        at{' '}
                        <NumberInput
                          label={`Clock of ${header}, MHz`}
                          unit="MHz"
                          value={clockOf(chosen[header])}
                          most={1e5}
                          onInput={mhz => choose(header, `cycles at ${mhz} MHz`)}
                        />{' '}
                        MHz
                      </label>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <button type="submit" class="primary">
          Apply
        </button>
      </form>
    </Dialog>
  );
}

const USED: Record<'used' | 'filter' | 'ignored', (as: string) => string> = {
  used: as => `${as} (from the header)`,
  filter: () => 'used as a filter',
  ignored: () => 'ignored',
};
const BY_HEADER = '\n'; // cannot be a header
const AT_CLOCK = 'cycles at 500 MHz'; // the choice whose clock is a field

/** The clock of cycles, MHz. */
const clockOf = (meaning = '') => Number(/^cycles at ([\d.]+) MHz$/.exec(meaning)?.[1]) || undefined;
