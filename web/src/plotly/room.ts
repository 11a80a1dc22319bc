// Which labels of a chart's points fit without overlapping.

/** Where a label begins, and the space that a letter and a line of text take, in the axes' own units. */
interface Space<Point> {
  place: (point: Point) => { x: number; y: number };
  letter: number;
  line: number;
}

/** The points whose names do not overlap; earlier ones win. */
export function withRoom<Point extends { name: string }>(points: Point[], { place, letter, line }: Space<Point>) {
  const named = new Set<Point>();
  const taken: { x: number; y: number; end: number }[] = [];
  for (const point of points) {
    const { x, y } = place(point);
    const end = x + point.name.length * letter;
    if (taken.some(other => Math.abs(other.y - y) < line && x < other.end && other.x < end)) continue;
    taken.push({ x, y, end });
    named.add(point);
  }
  return named;
}
