// The core of Roofline as a library. docs/guide/npm.md has examples; docs/formats/formats.md says what every figure means. SI units throughout.

/** Plain bytes or text of an input; gzip is unpacked beforehand. */
export type Input = string | ArrayBuffer | ArrayBufferView;

export interface Settings {
  /** An id, or a machine as docs/reference/presets.md describes it. */
  machine?: string | object | undefined;
  /** What a roofline_config.json holds: thresholds, rates, what-ifs (docs/formats/formats.md). */
  config?: object;
}

export interface FileSettings extends Settings {
  /** What messages call the input. */
  name?: string;
  /** The text of an op_registry.json: more operations. */
  registry?: Input;
}

export interface OperatorSettings extends Settings {
  /** "fp16", or "int4:fp16" for weights:activations[:output[:kv]]; one row each. */
  formats?: string[];
}

/** How a language model is run: the keys of docs/guide/llm.md. `ModelRequest` is the page's own, which the build puts here. */
export type ModelSettings = Settings & Omit<ModelRequest, 'model'>;

/** One entry per operation, in source order. NaN: not known, or does not apply. */
export interface Columns {
  index: Uint32Array;
  name: string[];
  type: string[];
  count: Float64Array;
  flops: Float64Array;
  bytes: Float64Array;
  intensity: Float64Array;
  predicted_time_s: Float64Array;
  typical_time_s: Float64Array;
  time_s: Float64Array;
  self_time_s: Float64Array;
  lost_time_s: Float64Array;
  achieved_flops: Float64Array;
  achieved_bandwidth: Float64Array;
  attainable_flops: Float64Array;
  efficiency: Float64Array;
  /** Index into `statuses`. */
  status: Uint8Array;
  /** Index into `resources`; 255: nothing is known to bound it. */
  bound_by: Uint8Array;
  statuses: string[];
  resources: string[];
}

export interface Summary {
  ops: number;
  timed_ops: number;
  above_roof: number;
  flops: number | null;
  bytes: number | null;
  predicted_time_s: number | null;
  time_s: number | null;
  lost_time_s: number | null;
  efficiency: number | null;
  bound_by: string | null;
  by_status: Record<string, number>;
  by_bound: Record<string, number>;
  [key: string]: unknown;
}

export interface Diagnostic {
  severity: 'error' | 'warning' | 'info';
  message: string;
  op: number | null;
  line: number;
  column: number;
  path: string;
}

export interface Analysis {
  /** How many operations. */
  readonly length: number;
  readonly columns: Columns;
  readonly summary: Summary;
  /** The finding, in a sentence. */
  readonly headline: string;
  readonly diagnostics: Diagnostic[];
  /** The document "roofline-analysis/1" (docs/formats/formats.md). */
  json(): {
    schema: 'roofline-analysis/1';
    machine: object;
    scenario: object;
    ops: object[];
    summary: Summary;
    [key: string]: unknown;
  };
  csv(): string;
  /** The roofline chart. */
  svg(): string;
  /** Gives the memory back at once; without it, when nobody has the analysis any more. */
  free(): void;
}

export interface Roofline {
  /** What limits each operation of a file. */
  analyze(input: Input, settings?: FileSettings): Analysis;
  /** One operator by its shape, in one or several formats. */
  op(type: string, parameters: Record<string, unknown>, settings?: OperatorSettings): Analysis;
  /** A language model by its id, or its config.json as an object. */
  llm(model: string | object, settings?: ModelSettings): Analysis;
  list(
    kind: 'machines' | 'models' | 'formats' | 'operators' | 'stacks',
  ): { id: string; name: string; [key: string]: unknown }[];
  show(kind: 'machine' | 'format' | 'operator', id: string): Record<string, unknown>;
}

/** An input that cannot be used, or a setting that is wrong: what, and where. */
export class RooflineError extends Error {
  /** 1-based; 0: not known. */
  line: number;
  column: number;
  /** Of the part of a JSON document that is meant; empty: not known. */
  path: string;
}

export interface Start {
  /** The bytes of roofline.wasm, where they cannot be found beside the library. */
  wasm?: BufferSource;
}

/** Starts the core: once, however many analyses follow. */
export function roofline(options?: Start): Promise<Roofline>;
export default roofline;
