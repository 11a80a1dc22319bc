// What the core and the page both know. Made from the core's own tables by tools/protocol: `tools/build protocol`.

export const STATUSES = ['compute-bound', 'memory-bound', 'link-bound', 'latency-bound', 'compute-inefficient', 'memory-inefficient', 'link-inefficient', 'normal', 'predicted', 'unknown'] as const;
export type StatusName = (typeof STATUSES)[number];

export const SYMBOLS = ['square', 'circle', 'triangle', 'diamond', 'star', 'cross', 'x'] as const;
export type SymbolName = (typeof SYMBOLS)[number];

export const RESOURCE_KINDS = ['compute', 'memory', 'link'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const LEVELS = ['operations', 'program', 'both'] as const;
export type Level = (typeof LEVELS)[number];

export const SORT_KEYS = ['source_order', 'name', 'type', 'status', 'flops', 'bytes', 'intensity', 'time', 'predicted', 'lost', 'efficiency', 'achieved', 'bandwidth', 'speedup', 'self_time', 'count', 'category', 'step', 'bound_by', 'compute_utilization', 'memory_utilization', 'label'] as const;
export type SortKey = (typeof SORT_KEYS)[number];
/// By a key, or by a column of words or a measure of the source's own.
export type SortName = Exclude<SortKey, 'label'> | `label:${string}`;

export const CHANGE_ORDERS = ['name', 'type', 'before', 'after', 'speedup', 'saved', 'efficiency', 'bound_by'] as const;
export type ChangeOrder = (typeof CHANGE_ORDERS)[number];

export const METRIC_NAMES = ['achieved', 'efficiency', 'time', 'intensity', 'bandwidth', 'ops'] as const;
export type Metric = (typeof METRIC_NAMES)[number];

export const SAMPLE_NAMES = ['gaussian', 'student_t5', 'outlier_channels'] as const;
export type SampleName = (typeof SAMPLE_NAMES)[number];

/// FrameColumns.flags: bits.
export const POINT_FLAGS = { predicted: 1, above_roof: 2, lane: 4, rates_only: 8 } as const;

/// In a column of resources: none is known.
export const NO_RESOURCE = 255;

/// Bytes of a file's start that tell a tensor file; of what an archive has packed, that tell what it is.
export const TENSOR_START = 16, PACKED_START = 65552;

/// Of roofline_config.json; thresholds in percent.
export const SETTING_DEFAULTS = { mem_thresh: 40, comp_thresh: 40, bound_thresh: 70, ops_per_mac: 2 } as const;

/// What Session.view() takes. Absent keys are at their default.
export interface View {
  statuses?: StatusName[];  // shown; absent: all
  types?: string[];  // shown; absent: all
  categories?: string[];  // shown; absent: all
  steps?: string[];  // shown; absent: all
  bounds?: string[];  // shown: names of resources, or "none"; absent: all
  level?: Exclude<Level, 'both'>;  // of a profile: its operations, or the program and its steps
  infeed?: boolean;  // with the time of infeed and outfeed
  memory?: string;  // whose intensity the x axis has: a name of FrameJson.memories, "bottleneck" (default), or "all": bottleneck and every other
  search?: string;  // in name or type, case ignored
  where?: Record<string, string[]>;  // shown: ops with one of the words, in each column named
  before_machine?: string | object;  // of the run that is kept to compare with, an id or an object; absent: its own, else the settings'
  compare_sort?: string;  // one of CHANGE_ORDERS; absent: by time saved
  compare_descending?: boolean;
  grouped?: boolean;  // identical ops as one row with their count; op indices are then group indices
  top?: number;  // points by time
  sort?: SortName;  // absent: "lost"
  descending?: boolean;
  selected?: number;  // an op whose row in the table is asked for
  offset?: number;  // of the table's page
  rows?: number;  // of the table's page
  log_x0?: number;  // the density grid's window, decades of FLOP/B; absent: the machine's
  log_x1?: number;
  log_y0?: number;  // decades of FLOP/s
  log_y1?: number;
}
export const VIEW_DEFAULTS = { infeed: true, compare_descending: true, grouped: false, top: 1000, sort: 'lost', descending: true, offset: 0, rows: 50 } as const satisfies View;

export interface FrameColumns {
  points: Uint32Array;  // op index of each point, most time first
  intensity: Float32Array;  // FLOP/B; 0: no FLOPs (lane); NaN: not known
  attained: Float32Array;  // FLOP/s measured, else attainable; for lane points B/s
  share: Float32Array;  // of total time, 0..1
  whatif_intensity: Float32Array;  // empty without an active what-if
  whatif_attained: Float32Array;  // where the op lands at today's efficiency
  step: Uint32Array;  // index into OpenedJson.steps; empty where there are none
  status: Uint8Array;  // index into STATUSES
  symbol: Uint8Array;  // index into SYMBOLS
  bound: Uint8Array;  // index into FrameJson.resources, or NO_RESOURCE
  flags: Uint8Array;  // bits of POINT_FLAGS
  density: Uint32Array;  // width * height, row 0 at log_y0
  memory_intensity: Float32Array;  // with View.memory "all": a row of points per name in FrameJson.memories; else empty
}
