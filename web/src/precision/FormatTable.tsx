// The formats with their speed-up and accuracy, as a table.
import { number, range } from '../format';
import { formatName } from '../core/catalogue';
import { AnswerTable } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';
import { decibels, isBest, reaches, summary, type Candidate, type Candidates } from './candidates';

export function FormatTable({ formats, chosen, pointed, point, choose, threshold }: Candidates) {
  const below = (format: Candidate) => !reaches(format, threshold);
  // Those below the threshold follow, then those of unknown accuracy.
  const unknown = ({ sqnr_db, exact }: Candidate) => Number(!exact && sqnr_db === null);
  const grey = (format: Candidate) => below(format) || unknown(format) > 0;
  const rows = [...formats].sort(
    (a, b) =>
      unknown(a) - unknown(b) ||
      Number(below(a)) - Number(below(b)) ||
      (b.speedup_optimistic ?? 0) - (a.speedup_optimistic ?? 0) ||
      (b.sqnr_db ?? 1e9) - (a.sqnr_db ?? 1e9),
  );
  return (
    <ClipBox class="precision-table" label="Formats by speed-up">
      {formats.length === 0 && (
        <p class="hint muted" role="status">
          Measuring the accuracy of each format…
        </p>
      )}
      <AnswerTable
        onMouseLeave={() => point(null)}
        rows={rows}
        keyOf={({ id }) => id}
        row={format => ({
          class: `${isBest(format, threshold) ? 'front' : grey(format) ? 'muted' : ''} ${pointed === format.id ? 'pointed' : ''}`,
          title: summary(format),
          onMouseEnter: () => point(format.id),
        })}
        columns={[
          {
            title: 'Weights',
            cell: format => (
              <button type="button" class="link" aria-pressed={chosen === format.id} onClick={() => choose(format)}>
                {format.name}
              </button>
            ),
          },
          {
            title: formats.some(({ whatif }) => whatif.output) ? 'Activations, output' : 'Activations',
            text: true,
            cell: ({ whatif: { activation } }) =>
              activation ? formatName(activation) : <span class="muted">unchanged</span>,
          },
          { title: 'Speed-up', cell: format => range(format.speedup_pessimistic, format.speedup_optimistic) },
          {
            title: 'dB per tensor',
            hint: 'SQNR of the numbers in this format, not of the network; a product of two quantised operands has about 3 dB less',
            cell: decibels,
          },
          { title: 'Bits', cell: ({ effective_bits }) => number(effective_bits) },
        ]}
      />
    </ClipBox>
  );
}
