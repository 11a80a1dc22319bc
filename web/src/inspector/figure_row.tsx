// A figure in a list of figures (<dl class="numbers">). `detail`: how it is computed, on a second line.
export const figureRow = (name: string, value: string, note = '', detail = '') => (
  <div key={name}>
    <dt>{name}</dt>
    <dd>{value}</dd>
    <dd class="muted" title={note}>
      {note}
    </dd>
    {detail && <dd class="muted detail">{detail}</dd>}
  </div>
);
