// A machine as the core describes it. Without state, so that the bundle that measures can have its own copy.
/** A figure of Session.machine(): a plain number, or one with where it comes from. */
export type Figure = number | { value: number; source?: string; basis?: string; note?: string };

export interface Machine {
  id: string;
  name: string;
  peaks: { matrix?: Record<string, Figure>; vector?: Record<string, Figure> };
  memories: {
    name: string;
    bandwidth?: Figure;
    read_bandwidth?: Figure;
    write_bandwidth?: Figure;
    capacity?: Figure;
  }[];
  links?: { name: string; bandwidth: Figure }[];
  based_on?: string | undefined; // the preset that it began as a copy of
  achievable?: { compute?: Figure; compute_by_format?: Record<string, Figure>; bandwidth?: Figure };
  launch_s?: Figure;
  tdp_w?: Figure;
  price_usd?: Figure;
  units?: Figure;
  notes?: string[];
  sources?: Record<string, string>; // full names of abbreviated figure sources
}

/** The number of a figure; null: none. */
export const figureValue = (figure: Figure | null | undefined) =>
  typeof figure === 'object' ? (figure?.value ?? null) : (figure ?? null);

/** An id made of a name; empty where the name has no letter and no digit. */
export const slug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
