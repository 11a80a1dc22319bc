// The bar over the Machines views: all machines or a list, and one operation or all.
import type { ComponentChildren } from 'preact';
import { machine, panelFrame } from '../core/engine';
import { changeView, selected } from '../core/view';
import { rowName } from '../operator/operator';
import { hasAlternatives } from '../sources/opened';
import { Choice } from '../widgets/Choice';
import { Combobox } from '../widgets/Combobox';
import { Icon } from '../widgets/Icon';
import { compare, type comparedMachines, type MachineRow } from './compared';
import { machineOptions } from './machine_options';

/** `rows` of the answer, and those `listed` by name. `whole`: the view is always of all operations. */
export function MachineList({
  compared: { chosen, op, itemOf },
  rows,
  listed = rows,
  whole = false,
  children,
}: {
  compared: ReturnType<typeof comparedMachines>;
  rows: MachineRow[];
  listed?: MachineRow[];
  whole?: boolean;
  children?: ComponentChildren;
}) {
  const row = panelFrame.value?.json.table.rows.find(({ index }) => index === selected.value);
  const name = row && rowName(row);
  return (
    <div class="sweep-bar">
      <Choice
        label="Machines"
        value={chosen === 'all' ? 'all' : 'some'}
        options={[
          ['all', 'All machines'],
          ['some', 'Selected'],
        ]}
        onChange={next => compare(next === 'all' ? 'all' : 'usual')}
      />
      {chosen !== 'all' && (
        <>
          <Combobox
            label="Add a machine"
            options={machineOptions().filter(({ id }) => !chosen.includes(id))}
            value="Add a machine…"
            onChange={id => compare([...chosen, id])}
          />
          <ul class="chips" aria-label="Machines compared">
            {listed.slice(1).map(row => (
              <li key={row.id}>
                <button
                  type="button"
                  aria-label={`Remove ${row.name}`}
                  onClick={() => compare(chosen.filter(item => item !== itemOf(rows.indexOf(row), row)))}
                >
                  {row.name} <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {children}
      {whole ? null : hasAlternatives() || name === undefined ? (
        <span class="muted">{hasAlternatives() ? `Of ${name ?? machine.value?.name}` : 'All operations'}</span>
      ) : (
        <Choice
          label="Scope"
          value={op === null ? '' : 'op'}
          options={[
            ['', 'All operations'],
            ['op', name],
          ]}
          onChange={scope => changeView({ scope })}
        />
      )}
    </div>
  );
}

/** The list names a machine that is not known. */
export const WrongList = ({ message }: { message: string }) => (
  <p class="hint">
    {message}{' '}
    <button type="button" onClick={() => compare('all')}>
      Reset the list
    </button>
  </p>
);
