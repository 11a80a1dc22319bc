// A table of bounds by machine and format, the fastest machine first.
import { useMemo } from 'preact/hooks';
import type { FindingPart } from '../../../wasm/session';
import { NONE, number, range, seconds } from '../format';
import { useAnswer } from '../core/ask';
import { formatName } from '../core/catalogue';
import { panelFrame } from '../core/engine';
import { chooseMachine, changeWhatIf, inAllOperands, settings } from '../core/settings';
import { scopedOp } from '../sources/opened';
import { AnswerFault } from '../widgets/AnswerFault';
import { AnswerTable } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';

interface Matrix {
  machines: { id: string; name: string }[]; // the one in force first
  formats: string[];
  sqnr_db: (number | null)[];
  accurate: boolean[]; // keeps least_db
  least_db: number;
  today_s: number | null;
  finding: FindingPart[];
}

/** A row per machine, a column per format that some machine computes in. A click on a cell applies both. */
export function MachineFormats() {
  const revision = panelFrame.value?.revision;
  const op = scopedOp();
  const reply = useAnswer<Matrix>('machine_formats', revision ? { revision, op } : null);
  const rows = useMemo(() => (reply && !('error' in reply) ? sorted(reply.json, reply.columns) : []), [reply]);
  if (!reply) return <div class="matrix" />;
  if ('error' in reply) return <AnswerFault reply={reply} />;
  const { machines, formats, sqnr_db, accurate, least_db, today_s } = reply.json;
  const own = machines[0]!.id;
  const best = Math.min(
    ...rows.flatMap(({ cells }) => cells.filter(({ fallback }, i) => !fallback && accurate[i]).map(({ s }) => s)),
  );
  return (
    <ClipBox class="matrix" label="Machines by formats">
      <AnswerTable
        caption={
          <span>
            Bound per weight format (activations too, where possible); today {seconds(today_s)}. Grey: computed in
            another format. Bold: the fastest that keeps {least_db} dB. <i>Speed</i> shows what fits in memory.
          </span>
        }
        rows={rows}
        keyOf={({ id }) => id}
        row={({ id }) => ({ 'aria-current': id === own })}
        columns={[
          { title: 'Machine', cell: ({ name }) => name },
          ...narrowFirst(formats).map(([format, i]) => ({
            title: formatName(format),
            ...(sqnr_db[i] != null && { hint: `${number(sqnr_db[i])} dB` }),
            cell: ({ id, name, cells }: Row) => {
              const { s, fallback } = cells[i]!;
              if (!Number.isFinite(s)) return NONE;
              return (
                <button
                  type="button"
                  class={`link ${fallback ? 'muted' : ''} ${!fallback && accurate[i] && s === best ? 'best' : ''}`}
                  title={`${name}, ${formatName(format)}: ${today_s ? range(today_s / s, today_s / s) : NONE}`}
                  onClick={() => choose(id, format, own)}
                >
                  {seconds(s)}
                </button>
              );
            },
          })),
        ]}
      />
    </ClipBox>
  );
}

function choose(machine: string, format: string, own: string) {
  if (machine !== own) chooseMachine(machine);
  const chosen = settings.peek().whatif?.weight === format && machine === own;
  changeWhatIf(inAllOperands(chosen ? undefined : format));
}

/** Each format with its index, the narrowest first: the core lists FP64 first. */
const narrowFirst = (formats: string[]) => formats.map((format, i) => [format, i] as const).reverse();

interface Row {
  id: string;
  name: string;
  cells: { s: number; fallback: boolean }[];
}

/** Sorted by the machine's best time in a format it supports. */
function sorted({ machines, formats }: Matrix, columns: Record<string, Float32Array>): Row[] {
  const rows = machines.map(({ id, name }, m) => ({
    id,
    name,
    cells: formats.map((_, f) => ({
      s: columns.predicted![m * formats.length + f]!,
      fallback: columns.fallback![m * formats.length + f] === 1,
    })),
  }));
  const best = ({ cells }: Row) =>
    Math.min(...cells.map(({ s, fallback }) => (fallback || Number.isNaN(s) ? Number.POSITIVE_INFINITY : s)));
  return rows.sort((a, b) => best(a) - best(b));
}
