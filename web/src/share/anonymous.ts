// An input without its names, for a link that may be seen by others.

type Row = { name?: unknown; type?: unknown; labels?: unknown };

/** The JSON with operations renamed to type and number; null: not JSON, or no operation has a name and a type. */
export function withoutNames(text: string): string | null {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  const counts = new Map<string, number>();
  const walkAll = (part: object) => Object.fromEntries(Object.entries(part).map(([key, value]) => [key, walk(value)]));
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    const { name, type, labels: _, ...others } = part as Row;
    if (typeof type !== 'string' || !(typeof name === 'string' || name === null)) return walkAll(part);
    const number = (counts.get(type) ?? 0) + 1;
    counts.set(type, number);
    return { ...walkAll(others), type, name: `${type} ${number}` };
  };
  const renamed = walk(document);
  return counts.size > 0 ? JSON.stringify(renamed) : null;
}
