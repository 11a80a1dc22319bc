// What the core and the page both know. Made from the core's own tables by tools/protocol: `tools/build protocol`.

export const STATUSES = ['compute-bound', 'memory-bound', 'link-bound', 'latency-bound', 'compute-inefficient', 'memory-inefficient', 'link-inefficient', 'normal', 'predicted', 'time-only', 'unknown'] as const;
export type StatusName = (typeof STATUSES)[number];
/// What people read of a status.
export const STATUS_WORDS: Record<StatusName, string> = {'compute-bound': 'near the roof (compute)', 'memory-bound': 'near the roof (memory)', 'link-bound': 'near the roof (link)', 'latency-bound': 'latency', 'compute-inefficient': 'well below the roof (compute)', 'memory-inefficient': 'well below the roof (memory)', 'link-inefficient': 'well below the roof (link)', 'normal': 'in between', 'predicted': 'predicted', 'time-only': 'time only', 'unknown': 'unknown'};
export const PARTLY_KNOWN = 'partly known';

export const MACHINE_BASES = ['assumed', 'guessed', 'stated', 'chosen'] as const;
export type MachineBasis = (typeof MACHINE_BASES)[number];
/// By whose rules a network's operations can be merged.
export const TOOL_CHAINS = [['none', 'no compiler'], ['all', 'an ideal compiler'], ['onnxruntime-cpu', 'ONNX Runtime (CPU)'], ['onnxruntime-cuda', 'ONNX Runtime (CUDA)'], ['tensorrt', 'TensorRT'], ['openvino', 'OpenVINO (CPU)'], ['openvino-npu', 'OpenVINO (NPU)'], ['xnnpack', 'TFLite with XNNPACK'], ['vela', 'Arm Vela'], ['rknn', 'RKNN'], ['qnn', 'Qualcomm QNN'], ['inductor', 'torch.compile (Inductor)']] as const;


export const SYMBOLS = ['square', 'circle', 'triangle', 'diamond', 'star', 'cross', 'x'] as const;
export type SymbolName = (typeof SYMBOLS)[number];

export const RESOURCE_KINDS = ['compute', 'memory', 'link'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const LEVELS = ['operations', 'program', 'both'] as const;
export type Level = (typeof LEVELS)[number];

export const SORT_KEYS = ['source_order', 'name', 'type', 'status', 'flops', 'bytes', 'intensity', 'time', 'predicted', 'lost', 'efficiency', 'achieved', 'bandwidth', 'speedup', 'self_time', 'count', 'category', 'step', 'bound_by', 'limited_by', 'compute_utilization', 'memory_utilization', 'label'] as const;
export type SortKey = (typeof SORT_KEYS)[number];
/// By a key, or by a column of words or a measure of the source's own.
export type SortName = Exclude<SortKey, 'label'> | `label:${string}`;

export const CHANGE_ORDERS = ['name', 'type', 'before', 'after', 'speedup', 'saved', 'efficiency', 'limited_by', 'change'] as const;
export type ChangeOrder = (typeof CHANGE_ORDERS)[number];

export const METRIC_NAMES = ['achieved', 'efficiency', 'time', 'intensity', 'bandwidth', 'ops'] as const;
export type Metric = (typeof METRIC_NAMES)[number];

export const SAMPLE_NAMES = ['gaussian', 'student_t5', 'outlier_channels'] as const;
export type SampleName = (typeof SAMPLE_NAMES)[number];

export const SERVING_LIMITS = ['', 'cache', 'prefill', 'compute', 'memory', 'link'] as const;
export type ServingLimit = (typeof SERVING_LIMITS)[number];

/// FrameColumns.flags: bits.
export const POINT_FLAGS = { predicted: 1, above_roof: 2, lane: 4, rates_only: 8, neither: 16, partly_known: 32, near_bound: 64 } as const;

/// In a column of resources: none is known.
export const NO_RESOURCE = 255;

/// The smallest speed-up for which a format is called faster.
export const LEAST_GAIN = 1.05;

/// Relative change below which two runs count as equal.
export const LEAST_CHANGE = 0.02;

/// dB: the accuracy that weights usually need.
export const DEFAULT_MIN_SQNR_DB = 30;

/// Defaults of a language model.
export const MODEL_DEFAULTS = { years: 4, chunk: 8192, reserve: 0.1, prompt: 2048, generate: 256 } as const;

/// The longest header of a GGUF file that is read, and the message for a longer one.
export const MAX_GGUF_HEADER_BYTES = 268435456, TOO_LONG_GGUF_HEADER = 'its header is longer than 256 MiB: expected metadata, vocabulary and a list of tensors';

/// Bytes of a file's start that tell a tensor file; of what an archive has packed, that tell what it is.
export const TENSOR_START = 16, PACKED_START = 65552;

/// The keys of roofline_config.json.
export const SETTINGS = {
  "machine": {"kind":"machine","label":"Machine","unset":"the file's machine, else npu-32t50","sentence":"An id or alias that `roofline list machines` prints or, in a file only, a machine as JSON; another one forgets typed rates"},
  "machine_basis": {"kind":"machine basis","label":"Machine basis","unset":"chosen","sentence":"How the machine was determined: guessed from words in the file, or assumed because none is named. Documents and reports say so"},
  "peak_tops": {"kind":"number","label":"Peak","unset":"the machine's own","sentence":"Peak of every format, for matrix and vector units","unit":"TOPS","least":5e-324,"most":1.7976931348623157e+308,"whole":false,"from":0.1,"to":10000.0,"step":0.0},
  "mem_bw": {"kind":"number","label":"Bandwidth","unset":"the machine's own","sentence":"Bandwidth of the device memory","unit":"GB/s","least":5e-324,"most":1.7976931348623157e+308,"whole":false,"from":1.0,"to":20000.0,"step":0.0},
  "mem_thresh": {"kind":"number","label":"Low-bandwidth threshold","unset":"","sentence":"Limited by a memory or a link and below this share of its bandwidth: well below the roof","unit":"%","least":0.0,"most":100.0,"whole":false,"from":1.0,"to":100.0,"step":1.0,"default":40.0},
  "comp_thresh": {"kind":"number","label":"Low-compute threshold","unset":"","sentence":"Limited by compute and below this share of the peak: well below the roof","unit":"%","least":0.0,"most":100.0,"whole":false,"from":1.0,"to":100.0,"step":1.0,"default":40.0},
  "bound_thresh": {"kind":"number","label":"Near-roof threshold","unset":"","sentence":"Above this efficiency an operation counts as near the roof","unit":"%","least":0.0,"most":100.0,"whole":false,"from":1.0,"to":100.0,"step":1.0,"default":70.0},
  "advice_thresh": {"kind":"number","label":"Advice threshold","unset":"","sentence":"Below this efficiency overhead, waiting or a poor kernel limits a measured operation: no format or machine is advised","unit":"%","least":0.0,"most":100.0,"whole":false,"from":1.0,"to":100.0,"step":1.0,"default":30.0},
  "ops_per_mac": {"kind":"number","label":"Units","unset":"","sentence":"How typed peaks and shown units count a multiply-accumulate: 2 where they are FLOP, 1 where they are MAC","unit":"","least":1.0,"most":2.0,"whole":true,"from":0.0,"to":0.0,"step":0.0,"default":2.0},
  "peaks.matrix": {"kind":"rates by format","label":"Matrix peaks","unset":"the machine's own","sentence":"Peaks of matrix work by format, over peak_tops","unit":"TOPS","least":5e-324,"most":1.7976931348623157e+308,"whole":false,"from":0.1,"to":10000.0,"step":0.0},
  "peaks.vector": {"kind":"rates by format","label":"Vector peaks","unset":"the machine's own","sentence":"Peaks of vector work by format, over peak_tops","unit":"TOPS","least":5e-324,"most":1.7976931348623157e+308,"whole":false,"from":0.1,"to":10000.0,"step":0.0},
  "bandwidths": {"kind":"rates by name","label":"Bandwidths","unset":"the machine's own","sentence":"Bandwidths by memory or link, over mem_bw; one to read and one to write where a memory has two channels","unit":"GB/s","least":5e-324,"most":1.7976931348623157e+308,"whole":false,"from":1.0,"to":20000.0,"step":0.0},
  "assumed_format": {"kind":"format","label":"Assumed format","unset":"INT8 for records, FP32 for tables and traces","sentence":"Format of operations whose source names none"},
  "stack": {"kind":"stack","label":"Stack","unset":"machine default","sentence":"Software stack of the estimates: an id that `roofline list stacks` prints"},
  "estimate.compute": {"kind":"number","label":"Products reach","unset":"the stack's own","sentence":"Fraction of the machine's achievable matrix rate that this stack reaches","unit":"%","least":0.1,"most":100.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.bandwidth": {"kind":"number","label":"Memory reached","unset":"the stack's own","sentence":"Share of what the machine's memory achieves that this stack's kernels reach","unit":"%","least":0.1,"most":100.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.run_us": {"kind":"number","label":"Per run","unset":"the stack's own","sentence":"Time per run of a network: the call, and what goes in and out","unit":"µs","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.layer_us": {"kind":"number","label":"Per layer","unset":"the stack's own","sentence":"Time per layer of a model and pass: launches, waits and the host","unit":"µs","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.moe_layer_us": {"kind":"number","label":"Per expert layer","unset":"the stack's own","sentence":"Time per layer of experts and pass, beside the time per layer","unit":"µs","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.experts": {"kind":"number","label":"Experts reach","unset":"the stack's own","sentence":"Fraction of the rates of other products that those of experts reach","unit":"%","least":0.1,"most":100.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.prompt_layer_us": {"kind":"number","label":"Per layer of prompts","unset":"the stack's own","sentence":"Serving: time per layer and pass with prompts, for launches that no recorded graph hides","unit":"µs","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.sequence_us": {"kind":"number","label":"Per sequence","unset":"the stack's own","sentence":"Serving: time per sequence and decode step for scheduling and sampling","unit":"µs","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.request_us": {"kind":"number","label":"Per request","unset":"the stack's own","sentence":"Serving: time of a request before its first token beside its prefill","unit":"µs","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.burst": {"kind":"number","label":"Start burst","unset":"the stack's own","sentence":"Serving: factor on the mean wait of requests that all come at the start","unit":"","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.all_reduce_us": {"kind":"number","label":"Per all-reduce","unset":"the stack's own","sentence":"Latency of one all-reduce","unit":"µs","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.nvlink": {"kind":"number","label":"NVLink reached","unset":"the stack's own","sentence":"Share of NVLink's rate that an all-reduce reaches","unit":"%","least":0.1,"most":100.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.pcie": {"kind":"number","label":"PCIe reached","unset":"the stack's own","sentence":"Share of PCIe's rate that an all-reduce reaches","unit":"%","least":0.1,"most":100.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.other_link": {"kind":"number","label":"Link reached","unset":"the stack's own","sentence":"Share of any other link's rate that an all-reduce reaches","unit":"%","least":0.1,"most":100.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.widen": {"kind":"number","label":"Dequantising","unset":"the stack's own","sentence":"Vector instructions per weight that is narrower than the activations","unit":"","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.widen_memory": {"kind":"number","label":"Dequantised in memory","unset":"the stack's own","sentence":"1 where a prompt's narrow weights are first dequantised into memory","unit":"","least":0.0,"most":1.0,"whole":true,"from":0.0,"to":0.0,"step":0.0},
  "estimate.native": {"kind":"number","label":"Native narrow weights","unset":"the stack's own","sentence":"1 where weights in a format that the matrix units take are not dequantised","unit":"","least":0.0,"most":1.0,"whole":true,"from":0.0,"to":0.0,"step":0.0},
  "estimate.elementwise": {"kind":"number","label":"Element-wise","unset":"the stack's own","sentence":"Factor on the bytes of element-wise operators; 1: fused","unit":"","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.score_bytes": {"kind":"number","label":"Scores","unset":"the stack's own","sentence":"Bytes to and from memory per attention score: 0 where attention is fused","unit":"","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.prefill_chunk": {"kind":"number","label":"Chunk","unset":"the stack's own","sentence":"Tokens of a prompt that one pass takes; 0: all of them","unit":"","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.head_once": {"kind":"number","label":"Head once","unset":"the stack's own","sentence":"1: the head runs only in the last pass of a prompt","unit":"","least":0.0,"most":1.0,"whole":true,"from":0.0,"to":0.0,"step":0.0},
  "estimate.accumulate_fp16": {"kind":"number","label":"Accumulate FP16","unset":"the stack's own","sentence":"1 where FP16 products accumulate in FP16, which GeForce does at twice the rate","unit":"","least":0.0,"most":1.0,"whole":true,"from":0.0,"to":0.0,"step":0.0},
  "estimate.tile_edge": {"kind":"number","label":"Tile edge","unset":"the stack's own","sentence":"Tile size at which edges take as long as the interior; 0: tiles and waves are ignored","unit":"","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.tile_us": {"kind":"number","label":"Per tile","unset":"the stack's own","sentence":"Time to fill and drain a tile's pipeline","unit":"µs","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.misaligned": {"kind":"number","label":"Misaligned","unset":"the stack's own","sentence":"Slowdown of products whose inner dimension is not a multiple of 16 bytes","unit":"","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.attention": {"kind":"number","label":"Attention reaches","unset":"the stack's own","sentence":"Share of the machine's achievable matrix rate that a single kernel of attention reaches","unit":"%","least":0.1,"most":100.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "estimate.attention_us": {"kind":"number","label":"Per attention","unset":"the stack's own","sentence":"Time per kernel of attention, in place of its launch","unit":"µs","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":0.0,"step":0.0},
  "overhead.launch_us": {"kind":"number","label":"Launch","unset":"the machine's own","sentence":"Time to launch one kernel. OpenXLA's GPU cost model had 5 µs, and has 1 µs for replayed graphs","unit":"µs","least":0.0,"most":1000000.0,"whole":false,"from":0.0,"to":50.0,"step":0.5},
  "overhead.compute": {"kind":"number","label":"Peak reached","unset":"the machine's own","sentence":"Share of the compute peaks that kernels reach","unit":"%","least":0.1,"most":100.0,"whole":false,"from":1.0,"to":100.0,"step":1.0},
  "overhead.bandwidth": {"kind":"number","label":"Bandwidth","unset":"the machine's own","sentence":"Share of the device memory's bandwidth that kernels reach","unit":"%","least":0.1,"most":100.0,"whole":false,"from":1.0,"to":100.0,"step":1.0},
  "overhead.units": {"kind":"number","label":"Units","unset":"the machine's own","sentence":"Matrix units that work on one tile each, side by side","unit":"","least":1.0,"most":1000000000.0,"whole":true,"from":1.0,"to":512.0,"step":1.0},
  "overhead.overlap": {"kind":"number","label":"Overlap","unset":"the stack's own","sentence":"Share of the shorter of compute and transfer time that overlaps with the longer. OpenXLA's GPU cost model takes 95%","unit":"%","least":0.0,"most":100.0,"whole":false,"from":0.0,"to":100.0,"step":1.0},
  "overhead.tile": {"kind":"tile","label":"Tile","unset":"the stack's own","sentence":"Rows and columns of a matrix product's tile. One unit works on one tile at a time: few tiles leave units idle"},
  "overhead.network": {"kind":"format","label":"Network in","unset":"each operation's formats","sentence":"Format of activations between operations. Separate kernels convert to narrower formats and back; narrow weights are dequantised on chip at no cost"},
  "overhead.accumulator": {"kind":"format","label":"Accumulator","unset":"INT32 of integers, FP32 of others","sentence":"Format of accumulators, read when a result is converted back"},
  "whatif.weight": {"kind":"format","label":"Weights","unset":"unchanged","sentence":"Format of the weights"},
  "whatif.activation": {"kind":"format","label":"Activations","unset":"unchanged","sentence":"Format of the activations"},
  "whatif.output": {"kind":"format","label":"Output","unset":"unchanged","sentence":"Format of the output"},
  "whatif.kv": {"kind":"format","label":"KV cache","unset":"unchanged","sentence":"Format of the KV cache"},
  "whatif.batch_scale": {"kind":"number","label":"Batch","unset":"","sentence":"Factor on FLOPs, activations, outputs and KV cache","unit":"×","least":5e-324,"most":1.7976931348623157e+308,"whole":false,"from":0.125,"to":64.0,"step":0.0,"default":1.0},
  "whatif.peak_scale": {"kind":"number","label":"Peaks","unset":"","sentence":"Factor on every compute peak","unit":"×","least":5e-324,"most":1.7976931348623157e+308,"whole":false,"from":0.125,"to":16.0,"step":0.0,"default":1.0},
  "whatif.bandwidth_scale": {"kind":"number","label":"Bandwidth","unset":"","sentence":"Factor on every memory and link","unit":"×","least":5e-324,"most":1.7976931348623157e+308,"whole":false,"from":0.125,"to":16.0,"step":0.0,"default":1.0},
  "whatif.machine": {"kind":"machine","label":"Machine","unset":"the same machine","sentence":"Another machine, before the factors"}
} as const;

/// The sizes of a config.json that can be edited. The first of `keys` that is present is used; `defaultKey` is added to a config without any of them. Without `shownIfAbsent`, the form shows a size only if the config has it.
export const CONFIG_SIZES: readonly { label: string; keys: readonly string[]; defaultKey: string; shownIfAbsent: boolean }[] = [
  { label: 'Hidden size', keys: ['hidden_size', 'n_embd', 'd_model'], defaultKey: 'hidden_size', shownIfAbsent: true },
  { label: 'Layers', keys: ['num_hidden_layers', 'n_layer', 'num_layers'], defaultKey: 'num_hidden_layers', shownIfAbsent: true },
  { label: 'Query heads', keys: ['num_attention_heads', 'n_head'], defaultKey: 'num_attention_heads', shownIfAbsent: true },
  { label: 'Key-value heads', keys: ['num_global_key_value_heads', 'num_key_value_heads', 'num_kv_heads'], defaultKey: 'num_key_value_heads', shownIfAbsent: true },
  { label: 'Head size', keys: ['global_head_dim', 'head_dim', 'attention_head_dim'], defaultKey: 'head_dim', shownIfAbsent: true },
  { label: 'MLP width', keys: ['intermediate_size', 'block_ff_dim', 'ffn_dim', 'n_inner', 'ffn_hidden_size', 'ff_intermediate_size'], defaultKey: 'intermediate_size', shownIfAbsent: true },
  { label: 'Vocabulary', keys: ['vocab_size'], defaultKey: 'vocab_size', shownIfAbsent: true },
  { label: 'Attention window', keys: ['sliding_window', 'attention_chunk_size'], defaultKey: 'sliding_window', shownIfAbsent: true },
  { label: 'Experts', keys: ['num_local_experts', 'n_routed_experts', 'num_experts', 'moe_num_experts'], defaultKey: 'num_local_experts', shownIfAbsent: false },
  { label: 'Active experts per token', keys: ['num_experts_per_tok', 'experts_per_token', 'moe_k', 'top_k_experts'], defaultKey: 'num_experts_per_tok', shownIfAbsent: false },
  { label: 'Expert width', keys: ['moe_intermediate_size'], defaultKey: 'moe_intermediate_size', shownIfAbsent: false },
  { label: 'Shared experts', keys: ['n_shared_experts', 'num_shared_experts', 'moe_num_shared_experts'], defaultKey: 'n_shared_experts', shownIfAbsent: false },
  { label: 'Leading dense layers', keys: ['first_k_dense_replace', 'moe_layer_start_index', 'num_dense_layers'], defaultKey: 'first_k_dense_replace', shownIfAbsent: false },
  { label: 'Query LoRA rank', keys: ['q_lora_rank'], defaultKey: 'q_lora_rank', shownIfAbsent: false },
  { label: 'KV LoRA rank', keys: ['kv_lora_rank'], defaultKey: 'kv_lora_rank', shownIfAbsent: false },
  { label: 'Head size without RoPE', keys: ['qk_nope_head_dim'], defaultKey: 'qk_nope_head_dim', shownIfAbsent: false },
  { label: 'Head size with RoPE', keys: ['qk_rope_head_dim'], defaultKey: 'qk_rope_head_dim', shownIfAbsent: false },
  { label: 'Value head size', keys: ['v_head_dim'], defaultKey: 'v_head_dim', shownIfAbsent: false },
];

/// Markers: pixels, and corners with the area of the unit circle, y downwards; none: the circle itself.
export const LANE_WIDTH = 42, NEAR_OPACITY = 0.4, MARKER_LEAST = 3.5, MARKER_MOST = 20, MARKER_ALL = 30;
export const MARKER_OUTLINES: Record<SymbolName, readonly (readonly [x: number, y: number])[]> = {
  square: [[0.8862, -0.8862], [0.8862, 0.8862], [-0.8862, 0.8862], [-0.8862, -0.8862]],
  circle: [],
  triangle: [[0, -1.5551], [1.3468, 0.7776], [-1.3468, 0.7776]],
  diamond: [[0, -1.2533], [1.2533, 0], [0, 1.2533], [-1.2533, 0]],
  star: [[0, -1.5413], [0.4077, -0.5611], [1.4658, -0.4763], [0.6596, 0.2143], [0.9059, 1.2469], [0, 0.6936], [-0.9059, 1.2469], [-0.6596, 0.2143], [-1.4658, -0.4763], [-0.4077, -0.5611]],
  cross: [[0.3868, -1.2087], [0.3868, -0.3868], [1.2087, -0.3868], [1.2087, 0.3868], [0.3868, 0.3868], [0.3868, 1.2087], [-0.3868, 1.2087], [-0.3868, 0.3868], [-1.2087, 0.3868], [-1.2087, -0.3868], [-0.3868, -0.3868], [-0.3868, -1.2087]],
  x: [[1.1282, -0.5812], [0.547, 0], [1.1282, 0.5812], [0.5812, 1.1282], [0, 0.547], [-0.5812, 1.1282], [-1.1282, 0.5812], [-0.547, 0], [-1.1282, -0.5812], [-0.5812, -1.1282], [0, -0.547], [0.5812, -1.1282]],
};

/// What Session.view() takes. Absent keys are at their default.
export interface View {
  statuses?: StatusName[];  // shown; absent: all
  types?: string[];  // shown; absent: all
  categories?: string[];  // shown; absent: all
  steps?: string[];  // shown; absent: all
  bounds?: string[];  // shown: names of resources, or "none"; absent: all
  limits?: string[];  // shown: names of the resources that limit them, "neither", or "none": not known; absent: all
  level?: Exclude<Level, 'both'>;  // of a profile: its operations, or the program and its steps
  infeed?: boolean;  // with the time of infeed and outfeed
  memory?: string;  // whose intensity the x axis has: a name of FrameJson.memories, "bottleneck" (default), or "all": bottleneck and every other
  search?: string;  // in name or type, case ignored
  where?: Record<string, string[]>;  // shown: ops with one of the words, in each column named
  before_machine?: string | object;  // of the run that is kept to compare with, an id or an object; absent: its own, else the settings'
  compare_sort?: string;  // one of CHANGE_ORDERS; absent: by the size of the change
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
  intensity: Float32Array;  // FLOP/B; 0: no FLOPs; NaN: not known
  attained: Float32Array;  // FLOP/s measured, else attainable; without FLOPs B/s
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

/// The figures of a row of the table.
export interface RowFigures {
  flops: number | null;
  bytes: number | null;
  intensity: number | null;  // FLOP/B
  time_s: number | null;
  predicted_time_s: number | null;
  typical_time_s: number | null;  // the estimate: with overheads
  self_time_s: number | null;
  lost_time_s: number | null;
  efficiency: number | null;
  compute_utilization: number | null;
  memory_utilization: number | null;  // of the memory used most
  achieved_flops: number | null;  // FLOP/s
  achieved_bandwidth: number | null;  // B/s
  attainable_flops: number | null;  // FLOP/s
  speedup_low: number | null;  // of the what-if; of the estimate where no time is known
  speedup_high: number | null;
}
