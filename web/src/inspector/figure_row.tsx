// A figure in a list of figures (<dl class="numbers">).
export const figureRow = (name: string, value: string, note = '') => (
  <div key={name}>
    <dt>{name}</dt>
    <dd>{value}</dd>
    <dd class="muted" title={note}>
      {note}
    </dd>
  </div>
);
