// The module's whole surface as the page's worker sees it. bindings.cpp registers exactly this; bulk data crosses as typed arrays,
// settings and messages as JSON text. Nothing here throws: a failure is an object with `error`. Names, bits and the view come from the core
// itself (protocol.ts); tests/wasm/shapes.test.mjs holds real answers against the shapes below: every key is there, and no other.
import type { FrameColumns, MachineBasis, ResourceKind, RowFigures, Severity, SortKey, StatusName, SymbolName } from "../web/src/protocol";
export type { SortName, StatusName, SymbolName, View } from "../web/src/protocol";

export interface CoreModule {
  HEAPU8: Uint8Array;
  Session: { new (): Session };
}

export interface Session {
  /// Input. begin() returns where to write `size` bytes (HEAPU8 may move: read it again after begin); the next call takes them. prepare()
  /// finds out what a file is, from all of it or its first HEAD_BYTES. For "operations", start() with the file's size, then begin() and
  /// feed() for each piece, of any size, and finish(): only then does the new workload replace the open one. drop() forgets the pending
  /// input and leaves what is open as it is.
  begin(size: number, name: string): number;
  prepare(): string;            // Prepared
  start(name: string, size: number): void;
  tableColumns(): string;           // TableColumns: begin() with a table's first bytes before
  takeAs(choices: string): string;  // ReadOverrides -> { error?: Fault }: of the next file that is started; else as its content says
  feed(): string;               // Fed
  finish(): string;             // Finished
  drop(): void;

  /// Opens a workload that the core makes itself in place of a file. `request` is JSON of the kind's own form (core/src/session/sources.cpp).
  build(kind: "operator" | "model", request: string): string;  // { error?: Fault, opened?: OpenedJson }

  /// Whether what is open stays as the run to compare with (the question "compare") when the next opens. forget() drops it.
  keep(next: boolean): void;
  forget(): void;

  /// A registry (op_registry.json) applies to files read from then on; the caller reads its open file again. clearRegistry() forgets all.
  addRegistry(text: string): string;  // { error?: Fault, ops: string[] }
  clearRegistry(): void;

  /// roofline_config.json: machine, thresholds, units, what-if (see docs/formats/formats.md). Replaces all settings at once; what the text leaves
  /// out is at its default. On an error the old settings stay.
  configure(config: string): string;  // { error?: Fault }
  config(): string;                   // the file that restores these settings
  machine(): string;                  // the scenario's machine, {value, source, basis, note} per figure

  view(view: string): string;         // View -> { error?: Fault }
  frame(): FrameData;
  chart(): FrameData;                 // the chart alone, where no machine moves the points of the frame before; else frame()
  record(op: number): string;                  // RecordJson: where its raw JSON lies in the source's bytes
  detail(op: number, record: string): string;  // Detail; `record` is that raw JSON ("" where there is none)
  /// What views beyond the chart and the table show, of the open workload under these settings (core/src/session/questions has each question's form).
  ask(question: string, request: string): { json: string } & Record<string, Float32Array>;  // json: { error?: Fault, ... }
  diagnostics(offset: number, limit: number): string;  // { total: number, items: DiagnosticItem[] }
  indexOf(name: string): number;      // first op of that name, -1: none

  list(kind: "machines" | "models" | "formats" | "operators" | "stacks"): string;
  show(kind: "machine" | "format" | "operator", id: string): string;

  /// Pieces of the document in order, as UTF-8; a piece is valid during the call only (copy it).
  /// "" or why nothing was written. `baseline`: the row of an operator's formats that JSON compares the others with.
  write(kind: "json" | "csv" | "svg" | "compare.csv" | "compare_types.csv", sink: (piece: Uint8Array) => void, baseline: number): string;
  /// Writes the open operations for a link, in at most `most` rows: "roofline-operations/1" (core/include/roofline/write/operation_rows.hpp).
  writeOperationRows(most: number, sink: (piece: Uint8Array) => void): void;
  /// The operations that write() lists, one entry of every column each; json: ColumnWords.
  columns(): { json: string } & Record<string, Float64Array | Uint32Array | Uint8Array>;
  delete(): void;
}

/// What a file is taken for where its content leaves a choice (core/src/session/read_overrides.hpp).
/// Of a network: lengths that it leaves open, by name, to a number or to another one's name; and by which tool chain's rules operations
/// are merged: its id; true: what is usual on the machine, or all that could be; false: none; absent: what is usual on the machine.
export interface NetworkChoices {
  dimensions?: Record<string, string | number>;
  fold?: boolean | string;
  engine?: string;  // the tool chain that ran it, in place of the machine's; set by the worker from the open run
}

export interface ReadOverrides {
  network?: NetworkChoices;  // how a network is read: of the worker, which hands the core its operations
  model?: object;   // of a trace: the request of the language model that ran
  columns?: Record<string, string>;  // of a table: headers that are to be read as others, "" for a column that is not to be used
  alone?: boolean;  // not joined with what is open
}

export interface TableColumns {
  error?: Fault;
  // meaning: by the header alone; as, unit: how it is used, by all that tells
  columns?: { header: string; meaning: string; first: string[]; use: "used" | "filter" | "ignored"; as: string; unit: string }[];
  choices?: { header: string; meaning: string }[];                   // what a column can be read as
}

/// What the numbers of the columns `status` and `bound_by` mean (255: nothing bounds it), and the words of each operation.
export interface ColumnWords { statuses: StatusName[]; resources: string[]; name: string[]; type: string[] }

export interface Fault { message: string; line: number; column: number; path: string }

export interface Prepared { error?: Fault; kind?: "operations" | "registry" | "config" | "machine" | "model"; text?: string }  // text: of all but operations

export interface NetworkDimension {
  name: string; value: number | null; assumed: boolean; place?: string; decided_by_data?: boolean; least: number; greatest?: number;
}

/// What holds for all of a network: core/include/roofline/network/network.hpp.
export interface NetworkFacts {
  format: string; producer?: string; dimensions: NetworkDimension[]; nodes: number;
  folded: boolean; tool_chain: string; folded_nodes: number;  // whose rules merge operations, and how many nodes are part of another or vanish
  matrix_macs: number | null; weights_bytes: number; parameters: number; constant_bytes: number; generated_bytes: number;
  float_weights: number;  // nodes with weights that a plan can round to another format
  peak_activation_bytes: number | null; peak_at?: string; activation_bytes?: number[];  // of each node, in execution order
  not_counted: { type: string; nodes: number; share: number; reason: string }[];
  notes: string[];
}

/// Sums by module of a network, those of equal modules of one: core/include/roofline/write/modules.hpp.
export interface ModuleJson {
  path: string; indices: string[]; name: string; body: string; depth: number; count: number;
  ops: number; nodes: number; not_counted: number;
  matrix_macs: number; flops: number; bytes: number; parameters: number | null; weights_bytes: number | null;
  read_bytes: number; written_bytes: number;
  predicted_time_s: number; typical_time_s: number | null; time_s: number | null; bound_by: string | null;
}
export interface ModulesJson { finding: string; modules: ModuleJson[] }

/// Proposals that fit a network's activations on chip: core/include/roofline/network/memory_advice.hpp.
export interface MemoryAdviceJson {
  memory: string; capacity: number | null; peak_bytes: number | null; peak_at: string; merged_peak_bytes: number | null;
  merge: { change: string; node: string; into: string; tensor_bytes: number; bytes: number; peak_bytes: number; by_tool_chain: boolean } | null;
  tilings: { change: string; first: string; last: string; nodes: number; tiles: number; rows: number; bytes: number; recomputed: number }[];
  tiled_peak_bytes: number | null;
  streaming: { change: string; node: string; tiles: number; rows: number; bytes: number } | null;
  finding: string;
}

/// "roofline-network-sweep/1": core/include/roofline/calculator/network_sweep.hpp.
export interface NetworkSweepPoint {
  length: number; matrix_macs: number | null; flops: number; bytes: number; peak_activation_bytes: number | null;
  predicted_time_s: number; typical_time_s: number | null; bound_by: string | null; not_counted: number;
}
export interface NetworkSweepJson { dimension: string; finding: string; points: NetworkSweepPoint[] }

export interface OpenedJson {
  source: string; format: string; ops: number; kinds: KindInfo[]; diagnostics: number;
  columns: ColumnInfo[];
  program: boolean;       // there are rows that are totals of the program and its steps
  infeed: boolean;        // some rows count only with infeed and outfeed, or only without
  kv_cache: boolean;      // some operation has a key-value cache, or its operands are not known
  steps: string[];
  device: [name: string, text: string][];  // the device as a profile states it
  device_time: { span_s: number; busy_s: number } | null;  // of a trace: from its first work to the end of its last, and the part in which anything ran
  labels: string[];       // what RowJson.labels and RowJson.measures hold
  simulated_by: string;   // the tool that simulated the times; "": they were measured
  lacking: "" | "work" | "times";  // a second file may have it
  network: NetworkFacts | null;
  stated_machine: string | null;   // name of the machine that the file states
  guessed_machine: string | null;  // that ran it, by words in the file: the page takes it until told otherwise
  engine: string;         // the tool chain that ran the network and gave its times; "none": not known
  joined: boolean;        // with what was open before: times and work of the same layers, by name
  asks_for_model: { context: boolean } | null;  // a trace of an inference engine's steps; and whether they leave the context open
  before: string | null;  // the run to compare with; `kinds`, `columns` and `steps` then have its words too, with 0 ops where only it has them
}

/// A column of the input that has few different values, and how many ops have each.
export interface ColumnInfo { name: string; words: string[]; ops: number[] }

/// What quantize.wasm answers about a file of tensors (core/src/session/open_tensors.hpp).
export interface TensorList { error?: Fault; header_bytes?: number; format?: "npy" | "npz" | "safetensors"; tensors?: TensorInfo[] }

export interface TensorInfo {
  name: string; type: string; shape: number[]; elements: number;
  offset: number; bytes: number;  // where its data lies in the file, or in what is packed
  readable: boolean;
  reversed?: true;                // in Fortran order
  packed?: PackedPart;
}

/// What an archive keeps deflated: where it lies in the file; length and checksum of what it unpacks to.
export interface PackedPart { offset: number; bytes: number; size: number; crc: number }

export interface AccuracyJson {
  error?: Fault;
  schema: "roofline-accuracy/1";
  tensor: { file: string; name: string; type: string; shape: number[]; elements: number; measured: number; not_finite: number;
            min: number; max: number; rms: number };
  formats: { id: string; name: string; effective_bits: number; sqnr_db: { tensor: number | null }; exact: string[] }[];
}

/// The answer to the question "precision" (core/src/session/questions/precision.cpp).
export interface PrecisionJson {
  formats: {
    id: string; name: string; effective_bits: number; weights_only: boolean;
    whatif: { weight: string; activation?: string; output?: string; kv?: string };
    computes_as: string | null;   // null: as the activations do, which are unchanged
    support: 'computes' | 'dequantises' | 'lacks';  // lacks: listed, and not advised
    bytes: number | null; predicted_time_s: number | null;
    speedup_optimistic: number | null; speedup_pessimistic: number | null;  // over today
    sqnr_db: number | null; exact: boolean;
    pareto: boolean;              // no format is both faster and more accurate
  }[];
  finding: FindingPart[];
}

/// The answer to the question "which_machine" (core/src/session/questions/which_machine.cpp), best first.
export interface WhichMachineJson {
  asked: string;        // "Which machine ran this? The fastest rows reach 744 TFLOP/s and 3.1 TB/s"
  reservation: string;  // "guessed from the points; the file names no device"; "": none
  // The likely ones; none where no machine allows the rates. reach: the fastest rows' share of the roof; reason: "h100 in the file, 89% of its FP16 peak"
  machines: { id: string; name: string; reach: number | null; roof: string; holds: boolean; evidence: string; reason: string }[];
  fitting: { id: string; reason: string }[];  // presets and "own" machines that allow the file's rates, the nearest roof first
  // Presets, and machines of the request's "own", whose roof some rows exceed or that lack their formats. holds: few enough that it may have run there
  unlikely: { id: string; holds: boolean; reason: string }[];
}

/// A piece of the sentence that answers a view's question. A figure has its formula, and the operations it was made from: by words of the
/// view's filters, or one.
export interface FindingPart { text: string; formula?: string; categories?: string[]; bounds?: string[]; limits?: string[]; steps?: string[]; op?: number }

/// The answer to the question "fusion": "roofline-fusion/1" (core/src/write/fusion.cpp).
export interface FusionJson {
  headline: string;
  finding: FindingPart[];
  bytes: number | null; fused_bytes: number | null; saved_bytes: number | null;
  predicted_time_s: number | null; fused_time_s: number | null; speedup: number | null; bound_by: string | null;
  resources: { name: string; kind: "compute" | "memory" | "link"; work: number | null; fused_work: number | null; time_s: number; fused_time_s: number }[];
  ops: { index: number; name: string; predicted_time_s: number | null; bound_by: string | null }[];
  between: {
    from: number; to: number; match: "shape" | "view" | "elements" | "none" | "unknown";
    tensor: string | null; read_as: string | null; elements: number | null; written_bytes: number | null; read_bytes: number | null;
  }[];
  remarks: string[];
}

/// The answer to the question "machines" (core/src/session/questions/machines.cpp), of a whole run or, with "request", of a language model.
export interface MachinesJson {
  unit: 's' | 'tokens/s';  // of bound and estimate
  total: number;           // machines in all; "first" and "count" of the question ask for a part of them
  rows: (MachineChoice & {
    compute: string | null; fallback: boolean;
    peak: number | null; bandwidth: number | null; ridge: number | null;
    predicted_time_s: number | null; typical_time_s: number | null; speedup: number | null;
  })[];
  finding: FindingPart[];  // of an answer with all rows; else {"found": rows, "unit"} asks for it
  fastest: string[];       // ids of the machines that the finding calls fast, in its order; present when `finding` is
  caution: string;         // where no roof limits most of the time; "": none
  contradicted: boolean;   // the measured times exceed the roofs of the machine in force: others are compared with `measured_s`
  measured_s: number | null; // null: not every operation has a time
}

export interface MachineChoice {
  id: string; name: string;
  segment: string;           // "data-centre", "desktop", "embedded"; "": not known
  fits: boolean | null;      // into the memory of as many as were asked for; null: not known
  fit?: string;              // of a language model: "fits", "tight", "does not fit", "context too long", "unknown"
  tried?: number;            // of a language model: the number of machines that "fit" is for: as many as needed, or the most that can be linked
  barely_fits_on?: number | null; // likewise: half as many, if it fits there with less than the reserve free; else null
  machines: number | null;   // that are needed, and that all figures are for; null: more than can work together
  bound: number | null; estimate: number | null;
  assumed: boolean;          // the part of its rates that kernels reach was not measured on it
  launch_known: boolean;     // the estimate includes kernel launches
  usd_per_hour: number | null;     // of one machine; null: no price is known
  usd_per_million: number | null;  // runs or tokens
  joules: number | null;           // of a run or a token, at the machine's rated power
  bound_by: string;
  ttft_s?: number | null; typical_ttft_s?: number | null; tpot_s?: number | null; typical_tpot_s?: number | null;  // of a language model
}

/// The answer to the question "compare" (core/src/session/questions/compare.cpp): the run kept before (a) and the open one (b).
export interface CompareJson {
  a: { source: string; machine: string; ran_elsewhere: boolean };
  b: { source: string; machine: string; ran_elsewhere: boolean };
  finding: FindingPart[];  // the summary's headline
  summary: ChangesJson;  // of what the filters let through
  all: ChangesJson;
  filtered: boolean;
  total: number;  // of the rows listed
  ops: ChangeJson[];
  sum_by: "type" | "family";  // family: little of the time is in common types
  by_type: TypeChangeJson[];  // of the operations that the filters let through
  types: number;  // how many there are, listed or not
}

export interface TypeChangeJson {
  type: string; types: string[];  // those that are added up, as the runs write them
  ops_a: number; ops_b: number;
  time_a_s: number | null; time_b_s: number | null; time_ratio: number | null; time_saved_s: number | null;
}

export interface ChangesJson {
  headline: string; times: "measured" | "predicted"; matched: number; appeared: number; vanished: number;
  renamed: number; faster: number; slower: number; unchanged: number; unchanged_time_s: number;  // of the matched ones
  reformatted: number; reformatted_time_s: number;  // of the unchanged ones
  comparable: boolean;  // at least half of the time of each run is in both; else time_ratio is null
  time_a_s: number | null; time_b_s: number | null; time_saved_s: number | null; time_ratio: number | null;
  matched_time_a_s: number | null; matched_time_b_s: number | null; matched_time_ratio: number | null;  // of those in both runs
}

export interface ChangeJson {
  name: string; short_name: string; type: string; change: "matched" | "appeared" | "vanished"; a: number | null; b: number | null;
  time_a_s: number | null; time_b_s: number | null; time_ratio: number | null; time_saved_s: number | null;
  efficiency_a: number | null; efficiency_b: number | null; efficiency_change: number | null;
  above_roof_a: boolean; above_roof_b: boolean;
  intensity_a: number | null; intensity_b: number | null; achieved_flops_a: number | null; achieved_flops_b: number | null;
  bound_by_a: string | null; bound_by_b: string | null;
  limited_by_a: RowJson['limited_by'] | null; limited_by_b: RowJson['limited_by'] | null;
  format_a: string | null; format_b: string | null;  // computed as
  verdict: "unknown" | "unchanged" | "faster" | "slower" | null;  // of what is in both runs
  renamed: boolean;  // matched by type and shape, under another name
}

export interface KindInfo { type: string; category: string; symbol: SymbolName; ops: number }
export interface FrameData extends FrameColumns {
  json: string;         // FrameJson; ChartJson where it is the chart alone
  chartAlone: boolean;  // the density is empty; only chart() answers so
}
/** Of a frame, what the chart takes beside the columns. */
export type ChartJson = Pick<FrameJson, 'ops_per_mac' | 'integer_work' | 'resources' | 'roofs' | 'density' | 'axes'>;

export interface SummaryJson {
  ops: number; timed_ops: number; above_roof: number; far_above_roof: number; rates_only: number;
  ran_elsewhere: boolean;  // more than a twentieth of the time is in ops that beat their roof by more than a quarter
  flops: number | null; bytes: number | null;  // null: of times alone
  predicted_time_s: number | null; time_s: number | null; lost_time_s: number | null; efficiency: number | null;
  typical_time_s?: number | null;  // where nothing was measured and there is a what-if: the estimate
  bound_by: string | null;
  by_status: Partial<Record<StatusName, number>>;
  time_by_status: Partial<Record<StatusName, number | null>>;  // null: none is measured
  by_bound: Record<string, number>;
  predicted_time_by_bound: Record<string, number>;
  time_by_limit?: Record<string, number>;  // of judged times: per resource, and `neither`
  whatif: null | { predicted_time_s: number; time_optimistic_s: number | null; time_pessimistic_s: number | null;
                   speedup_optimistic: number | null; speedup_pessimistic: number | null;  // per run, whatever its batch
                   batch_scale: number;  // the run's work over today's
                   time_low_s: number | null; time_high_s: number | null;  // for today's work, as speedup_low and speedup_high
                   speedup_low: number | null; speedup_high: number | null;
                   limited_by: string | null };  // the resource that limits most of the time then; null: no resource does, or it is not known
}

export interface RoofJson {
  kind: ResourceKind;
  name: string;          // "fp16", "fp32 (vector)", "HBM"
  rate: number;          // FLOP/s or B/s
  integer: boolean;      // a peak of integer formats: OP/s
  in_play: boolean; whatif: boolean; achievable: boolean;
}

export interface RowJson extends RowFigures {
  index: number; name: string; type: string; symbol: SymbolName; category: string; step: string | null; count: number;
  short_name?: string;  // where it differs: with sizes in place of the shapes of all operands
  product?: string;  // "128x1,280x2,048": M, N and K of a matrix product, or of the scores of attention
  labels?: Record<string, string>; measures?: Record<string, number | null>;  // what the source says beside, where it does
  formats: { weight: string | null; activation: string | null; output: string | null; kv: string | null; compute: string | null };
  status: StatusName; bound_by: string | null;
  above_roof: boolean;    // shown in place of the status
  partly_known: boolean;  // likewise: FLOPs or bytes are not counted, or a rate is not known; no efficiency, no time above the bound
  near_bound: boolean;    // a roof explains its time
  limited_by: 'compute' | 'memory' | 'link' | 'neither' | 'unknown';  // neither: overhead, waiting or a poor kernel; unknown: partly known, or nothing bounds it
  bandwidths: Record<string, number | null>;  // achieved, of each memory
  // Of a profile's operations: their place by self time, and shares of the program's time.
  rank?: number | null; time_share?: number | null; self_time_share?: number | null; cumulative_share?: number | null;
}

export interface FrameJson {
  headline: string;
  finding: FindingPart[];  // the headline, by parts
  source: string;
  grouped: boolean;
  ops_per_mac: number;
  integer_work: boolean;  // all operations compute in integer formats: rates are OP/s
  statuses: StatusName[]; symbols: SymbolName[]; resources: string[];
  memories: string[];    // that can be on the x axis, the device memory first
  machine_basis: MachineBasis;
  asks_for_machine: boolean;  // the machine was guessed; or times were measured, and it was assumed or does not match them: ask "which_machine"
  ran_elsewhere: boolean;     // the times contradict the machine: no efficiency or lost time means anything
  program_efficiency: number | null;  // of a profile's whole program, which is not what its operations reach together
  lowest_intensity: number | null; highest_intensity: number | null;  // of all that is shown, on the x axis; FLOP/B
  all: SummaryJson;      // every op
  shown: SummaryJson;    // those the filter lets through
  limits: {              // of what is shown, beside `shown`
    by_status: Partial<Record<StatusName, number>>;  // without those above the roof, which have a status of their own
    above_roof: number;
    neither: number; neither_time_s: number;      // limited by neither: overhead, waiting or a poor kernel
    partly_known: number; partly_known_time_s: number;  // FLOPs or bytes are not counted, or a rate is not known: no verdict, no advice
    compared_time_s: number; compared_bound_s: number;  // of the operations with both a time and a bound
    below_bound_s: number;  // of those above their roof: bounds minus times; time above bound = time - bound + this
    limited_by: string;  // the limit of most of the time, as in the headline: a resource, "neither" or "unknown"
    collect: string;     // the profiler's command line that counts them; "": none
  };
  /** The what-if as in the headline: speed-up, time today and time then; from the estimate if nothing was measured. All null: no what-if.
   *  If least_s alone is a number, the what-if takes at least that long, and today's bound is only partly known. */
  whatif_outcome: {
    low: number | null; high: number | null;
    today_s: number | null; least_s: number | null; most_s: number | null;
    per_item: boolean;  // the batch changes: times then are of one of its items
    without_rate: string | null;  // where today_s is null: a format of the what-if for which no rate is known either
  };
  roofs: RoofJson[];
  density: { width: number; height: number; log_x0: number; log_x1: number; log_y0: number; log_y1: number; outside: number; ops: number };
  axes: { log_x0: number; log_x1: number; log_y0: number; log_y1: number };  // from the machine, whole decades
  table: { total: number; offset: number; sort: SortKey; selected_row: number | null; rows: RowJson[] };  // selected_row: the place of View.selected, null: filtered out
}

export interface Detail {
  error?: Fault;
  op: Record<string, unknown>;   // the op as in the JSON export ("roofline-analysis/1", ops[])
  row: RowJson;
  verdict: string; lever: string; number: string; evidence: string;  // in the order in which they are said; lever and number: "" where nothing would help
  remarks: string[];
  suggestions: { change: string; whatif: { weight?: string; activation?: string; output?: string; kv?: string; machine?: string; batch_scale?: number }; bytes_factor: number; predicted_time_s: number | null; low: number | null; high: number | null; typical_speedup: number | null; at_roof: number | null; coarse_cache: boolean }[];
  formulas: { quantity: string; expression: string; with_numbers: string }[];  // "2 * N * Co", "2 * 1 * 128 = 256"
  notes: string[];               // assumptions of the derivation
  product: { m: number; n: number; k: number; batch: number } | null;  // of a matrix product whose sizes are known
  record: RecordJson;            // where its raw text lies in the source's bytes
  text: string | null;           // the raw record, where the reader wrote it itself (a results table)
  members: number[];             // grouped: the source rows behind it, at most 100
}

export interface TextRange { offset: number; length: number }
export type RecordJson = TextRange | null;

export interface DiagnosticItem { severity: Severity; message: string; op: number | null; line: number; column: number; path: string }

export interface Fed { error?: Fault }

export interface Finished { error?: Fault; opened?: OpenedJson }
