// The machine editor's lists of peaks, memories and links, and its fields for the whole machine.
import { formats } from '../core/catalogue';
import { figureValue, type Machine } from '../core/machine_document';
import { Select } from '../widgets/Select';
import { EVERY, type Draft } from './machine_draft';
import { FigureInput, Rows, Text } from './MachineFields';
import { GROUPS, MEMORY_FIGURES, RATE } from './machine_ranges';

interface ChangeProps {
  onChange: (part: Partial<Draft>) => void;
}

export const PeakRows = ({ peaks, onChange }: Pick<Draft, 'peaks'> & ChangeProps) => (
  <Rows
    title="Peaks"
    heads={['Unit', 'Format', 'TFLOP/s, dense']}
    rows={peaks}
    add="Add a format"
    blank={{ unit: 'matrix', format: 'fp16', tera: '' }}
    rare={({ rare = false }) => rare}
    onChange={peaks => onChange({ peaks })}
  >
    {(row, set, of) => (
      <>
        <Select
          label={`Unit of ${of}`}
          value={row.unit}
          options={[
            ['matrix', 'Matrix'],
            ['vector', 'Vector'],
          ]}
          onChange={unit => set({ unit: unit as 'matrix' })}
        />
        <Select
          label={`Format of ${of}`}
          value={row.format}
          options={[[EVERY, 'every format'], ...formats.value.map(({ id, name }): [string, string] => [id, name])]}
          onChange={format => set({ format })}
        />
        <FigureInput
          label={`TFLOP/s of ${of}`}
          value={row.tera}
          unit="TFLOP/s"
          {...RATE}
          onInput={tera => set({ tera })}
        />
      </>
    )}
  </Rows>
);

export const MemoryRows = ({ memories, onChange }: Pick<Draft, 'memories'> & ChangeProps) => (
  <Rows
    title="Memories, the device memory first"
    heads={['Name', 'GB/s, one rate', 'or GB/s read', 'and GB/s write', 'GB in size']}
    rows={memories}
    add="Add a memory"
    blank={{ name: '', bandwidth: '', read: '', write: '', capacity: '' }}
    onChange={memories => onChange({ memories })}
  >
    {(row, set, of) => (
      <>
        <Text label={`Name of ${of}`} value={row.name} onInput={name => set({ name })} />
        {MEMORY_FIGURES.map(({ key, unit, label }) => (
          <FigureInput
            key={key}
            label={label(of)}
            value={row[key]}
            unit={unit}
            {...RATE}
            onInput={text => set({ [key]: text })}
          />
        ))}
      </>
    )}
  </Rows>
);

export const LinkRows = ({ links, onChange }: Pick<Draft, 'links'> & ChangeProps) => (
  <Rows
    title="Links"
    heads={['Name', 'GB/s, one direction']}
    rows={links}
    add="Add a link"
    blank={{ name: '', bandwidth: '' }}
    onChange={links => onChange({ links })}
  >
    {(row, set, of) => (
      <>
        <Text label={`Name of ${of}`} value={row.name} onInput={name => set({ name })} />
        <FigureInput
          label={`GB/s of ${of}`}
          value={row.bandwidth}
          unit="GB/s"
          {...RATE}
          onInput={bandwidth => set({ bandwidth })}
        />
      </>
    )}
  </Rows>
);

export const WholeMachineFigures = ({ draft, onChange }: { draft: Draft } & ChangeProps) => (
  <>
    {GROUPS.map(({ title, note, figures }) => (
      <fieldset key={title} class="rows">
        <legend>{title}</legend>
        <div class="row-fields">
          {figures.map(({ key, name, ...figure }) => (
            <label key={key}>
              {name}{' '}
              <FigureInput
                value={draft[key]}
                {...figure}
                {...(key === 'compute' && {
                  most: mostCompute(draft.base),
                })}
                onInput={text => onChange({ [key]: text })}
              />
            </label>
          ))}
        </div>
        {note && <p class="muted">{note}</p>}
      </fieldset>
    ))}
  </>
);

/** In percent: a part that runs above its rated clock may reach more than its peaks. */
function mostCompute(machine: Machine) {
  const { rated, highest } = (machine as { clock_hz?: Record<string, MaybeFigureValue> }).clock_hz ?? {};
  return 100 * Math.max(1, (figureValue(highest) ?? 0) / (figureValue(rated) ?? Infinity));
}
type MaybeFigureValue = Parameters<typeof figureValue>[0];
