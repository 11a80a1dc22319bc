// On a phone everything stands in one column: a bar at the bottom of the screen leads to its parts.

const SECTIONS = [
  ['Source', 'source-title'],
  ['Chart', 'view'],
  ['Table', 'table'],
  ['Why', 'detail'],
  ['Machine', 'machine-title'],
  ['Filters', 'filter-title'],
] as const;

/** The bar; wide screens show all parts at once and hide it. */
export function Sections() {
  return (
    <nav class="sections" aria-label="Parts of the page">
      {SECTIONS.map(([label, id]) => (
        <button key={id} type="button" onClick={() => document.getElementById(id)?.scrollIntoView({ block: 'start' })}>
          {label}
        </button>
      ))}
    </nav>
  );
}
