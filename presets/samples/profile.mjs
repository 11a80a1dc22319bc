// A roofline_model export as XProf writes it, of a training run that never was: a synthetic device, synthetic operations, and every column
// worked out from their FLOPs, bytes and times by XProf's definitions. The rule is in the sample's description.

const GIBI = 1024 ** 3;
const CORES = 4;
const DEVICE = { peak: 900e12, hbm: 1500 * GIBI, vmem_read: 16000 * GIBI, vmem_write: 8000 * GIBI }; // FLOP/s, B/s

const COLUMNS = [
  ['step', 'Step', 'string'],
  ['rank', 'Rank', 'number'],
  ['category', 'Category', 'string'],
  ['operation', 'Operation', 'string'],
  ['occurrences', '# Occurrences', 'number'],
  ['total_time', 'Total Time (us)', 'number'],
  ['avg_time', 'Avg. time (us)', 'number'],
  ['total_self_time', 'Total self time (us)', 'number'],
  ['avg_self_time', 'Avg. self time (us)', 'number'],
  ['total_self_time_percent', 'Total self time (%)', 'number'],
  ['cumulative_total_self_time_percent', 'Cumulative total self time (%)', 'number'],
  ['dma_stall_percent', '%time stalled by DMA', 'number'],
  ['measured_flop_rate', 'Normalized FLOP Rate (GFLOP/s)', 'number'],
  ['model_flop_rate', 'Model FLOP Rate (GFLOP/s)', 'number'],
  ['measured_memory_bw', 'Memory BW (GiB/s)', 'number'],
  ['hbm_bw', 'HBM BW (GiB/s)', 'number'],
  ['cmem_read_bw', 'CMEM Read BW (GiB/s)', 'number'],
  ['cmem_write_bw', 'CMEM Write BW (GiB/s)', 'number'],
  ['vmem_read_bw', 'VMEM Read BW (GiB/s)', 'number'],
  ['vmem_write_bw', 'VMEM Write BW (GiB/s)', 'number'],
  ['operational_intensity', 'Operational Intensity (FLOP/Byte)', 'number'],
  ['hbm_operational_intensity', 'HBM Operational Intensity (FLOP/Byte)', 'number'],
  ['cmem_read_operational_intensity', 'CMEM Read Operational Intensity (FLOP/Byte)', 'number'],
  ['cmem_write_operational_intensity', 'CMEM Write Operational Intensity (FLOP/Byte)', 'number'],
  ['vmem_read_operational_intensity', 'VMEM Read Operational Intensity (FLOP/Byte)', 'number'],
  ['vmem_write_operational_intensity', 'VMEM Write Operational Intensity (FLOP/Byte)', 'number'],
  ['bottleneck_operational_intensity', 'Bottleneck Operational Intensity (FLOP/Byte)', 'number'],
  ['bound_by', 'Bound by', 'string'],
  ['total_time_per_core', 'Total Time per core (us)', 'number'],
  ['total_time_in_percentage', 'Total Time (%)', 'number'],
  ['optimal_flop_rate', 'Optimal FLOP Rate (GFLOP/s)', 'number'],
  ['roofline_efficiency', 'Roofline efficiency (%)', 'number'],
  ['compute_efficiency', 'FLOP Rate / Peak (%)', 'number'],
  ['max_mem_bw_utilization', 'Max memory BW utilization (among supported memories) (%)', 'number'],
  ['include_infeed_outfeed', 'Include Infeed/Outfeed', 'boolean'],
  ['hlo_module_id', 'Program ID', 'string'],
  ['source_info', 'Source Info', 'string'],
];

const ratio = (a, b) => (b > 0 ? a / b : 0);

/** One row's cells. `op`: flops, hbm, vmem_read, vmem_write (totals), time and self (s), occurrences, and its texts. */
function row(op, { rank, whole, before, infeed }) {
  const bytes = op.hbm + op.vmem_read + op.vmem_write;
  const rate = work => ratio(work, op.time);
  const utilization = {
    Compute: rate(op.flops) / DEVICE.peak,
    HBM: rate(op.hbm) / DEVICE.hbm,
    'VMEM Read': rate(op.vmem_read) / DEVICE.vmem_read,
    'VMEM Write': rate(op.vmem_write) / DEVICE.vmem_write,
  };
  const intensity = {
    Compute: ratio(op.flops, bytes),
    HBM: ratio(op.flops, op.hbm),
    'VMEM Read': ratio(op.flops, op.vmem_read),
    'VMEM Write': ratio(op.flops, op.vmem_write),
  };
  let bound = 'Unknown',
    most = 0;
  for (const [name, value] of Object.entries(utilization)) if (value > most) [bound, most] = [name, value];
  const { Compute, ...memories } = utilization;
  const us = seconds => seconds * 1e6,
    giga = value => rate(value) / 1e9,
    gibi = value => rate(value) / GIBI;
  return [
    op.step ?? 'Total',
    rank,
    op.category,
    op.name,
    op.occurrences,
    us(op.time),
    us(op.time / op.occurrences),
    us(op.self),
    us(op.self / op.occurrences),
    ratio(op.self, whole),
    ratio(before + op.self, whole),
    0,
    giga(op.flops),
    giga(op.model_flops ?? op.flops),
    gibi(bytes),
    gibi(op.hbm),
    0,
    0,
    gibi(op.vmem_read),
    gibi(op.vmem_write),
    intensity.Compute,
    intensity.HBM,
    0,
    0,
    intensity['VMEM Read'],
    intensity['VMEM Write'],
    intensity[bound] ?? 0,
    bound,
    us(op.time / CORES),
    ratio(op.time, whole),
    ratio(giga(op.flops), most),
    most,
    Compute,
    Math.max(...Object.values(memories)),
    infeed,
    op.program ?? '0',
    op.source ? `<div class='source-info-cell' title='train.py:40&#10;${op.source}'>${op.source}</div>` : '',
  ];
}

/** Operations of a step of one core, times in µs: what the rule in the description makes of sizes. */
function operations() {
  const ops = [];
  const add = (program, category, name, flops, hbm, vmem_read, vmem_write, factor, more = {}) => {
    const bound = Math.max(
      flops / DEVICE.peak,
      hbm / DEVICE.hbm,
      vmem_read / DEVICE.vmem_read,
      vmem_write / DEVICE.vmem_write,
    );
    const occurrences = (more.occurrences ?? 1) * CORES * 3;
    const time = (more.time ?? bound * factor) * occurrences;
    const times = value => value * occurrences;
    ops.push({
      program,
      category,
      name,
      occurrences,
      time,
      self: more.self ? more.self * time : time,
      flops: times(flops),
      hbm: times(hbm),
      vmem_read: times(vmem_read),
      vmem_write: times(vmem_write),
      source: more.source,
      model_flops: more.model ? times(flops) * more.model : undefined,
    });
  };
  const train = '8411724095514160737',
    evaluate = '2041036616644817336',
    M = 1e6,
    G = 1e9,
    T = 1e12;
  for (let layer = 0; layer < 12; ++layer) {
    const at = `layers.py:${100 + 8 * layer}`;
    add(
      train,
      'convolution fusion',
      `fusion.${10 + layer}`,
      1.2 * T,
      420 * M,
      2.4 * G,
      0.9 * G,
      layer % 4 === 3 ? 2.9 : 1.25,
      { source: at, model: 0.94 },
    );
    add(train, 'convolution fusion', `fusion.${40 + layer}`, 0.3 * T, 1.9 * G, 3.1 * G, 1.2 * G, 1.4, { source: at });
    add(train, 'loop fusion', `fusion.${70 + layer}`, 0.4 * G, 620 * M, 640 * M, 320 * M, layer === 5 ? 6.5 : 1.6, {
      source: at,
    });
    add(train, 'custom fusion', `softmax.${layer}`, 2.1 * G, 40 * M, 4.8 * G, 1.1 * G, 1.7, {
      source: 'attention.py:77',
    });
    add(train, 'data formatting', `copy.${layer}`, 0, 210 * M, 0, 0, 1.9);
    add(train, 'output fusion', `rope.${layer}`, 0.8 * G, 30 * M, 1.2 * G, 2.6 * G, 1.5, { source: 'attention.py:31' });
  }
  for (const [i, size] of [240, 480, 910].entries())
    add(train, 'all-reduce', `all-reduce.${i}`, 0.1 * G, size * M, 0, 0, 5.2);
  add(train, 'while', 'while.1', 3.4 * T, 9 * G, 20 * G, 8 * G, 1.5, { self: 0.004 });
  add(train, 'custom-call', 'custom-call.7', 0, 0, 0, 0, 1, { time: 35e-6 });
  add(train, 'infeed', 'infeed.1', 0, 70 * M, 0, 0, 9);
  add(train, 'outfeed', 'outfeed.2', 0, 4 * M, 0, 0, 12);
  add(train, 'copy-start', 'copy-start.3', 0, 500 * M, 0, 0, 0.02); // its bytes move while others run: far above the roof
  for (let layer = 0; layer < 4; ++layer)
    add(evaluate, 'convolution fusion', `fusion.${10 + layer}`, 0.4 * T, 300 * M, 0.8 * G, 0.3 * G, 1.6, {
      source: 'evaluate.py:12',
    });
  return ops;
}

const has_inner = ({ category }) => ['while', 'call', 'conditional', 'megacore fusion'].includes(category);
const feeds = ({ category }) => category.includes('infeed') || category.includes('outfeed');

function sum(ops, texts) {
  const total = { category: 'Program', name: 'Program', occurrences: 1, self: 0, ...texts };
  for (const key of ['flops', 'hbm', 'vmem_read', 'vmem_write'])
    total[key] = ops.filter(op => !has_inner(op)).reduce((all, op) => all + op[key], 0);
  total.time = ops.reduce((all, op) => all + op.self, 0);
  return total;
}

function scaled(total, factor, time, step) {
  const part = { ...total, step, time: total.time * time };
  for (const key of ['flops', 'hbm', 'vmem_read', 'vmem_write']) part[key] = total[key] * factor;
  return part;
}

export function profile() {
  const ops = operations().sort((a, b) => b.self - a.self || (a.name < b.name ? 1 : -1));
  const rows = [];
  for (const infeed of [true, false]) {
    const shown = ops.filter(op => infeed || !feeds(op));
    const total = sum(shown, {}),
      whole = total.time;
    rows.push(row({ ...total, step: 'Total' }, { rank: 0, whole, before: 0, infeed }));
    let before = 0;
    shown.forEach((op, i) => {
      rows.push(row(op, { rank: i + 1, whole, before, infeed }));
      before += op.self;
    });
    rows.push(row(scaled(total, 1 / 3, 1 / 3, 'Average'), { rank: 0, whole: whole / 3, before: 0, infeed }));
    [0.42, 0.29, 0.29].forEach((time, step) =>
      rows.push(row(scaled(total, 1 / 3, time, String(step)), { rank: 0, whole: whole * time, before: 0, infeed })),
    );
  }
  const six = value => String(Number(value.toPrecision(6)));
  const ridge = bandwidth => six(DEVICE.peak / bandwidth);
  const table = {
    cols: COLUMNS.map(([id, label, type]) => ({ id, label, type })),
    rows: rows.map(cells => ({ c: cells.map(v => ({ v })) })),
    p: {
      device_type: 'TPU (synthetic)',
      megacore: '0',
      has_cmem: '0',
      has_merged_vmem: '1',
      peak_flop_rate: six(DEVICE.peak / 1e9),
      peak_hbm_bw: six(DEVICE.hbm / GIBI),
      peak_cmem_read_bw: '0',
      peak_cmem_write_bw: '0',
      peak_vmem_read_bw: six(DEVICE.vmem_read / GIBI),
      peak_vmem_write_bw: six(DEVICE.vmem_write / GIBI),
      hbm_ridge_point: ridge(DEVICE.hbm),
      cmem_read_ridge_point: '0',
      cmem_write_ridge_point: '0',
      vmem_read_ridge_point: ridge(DEVICE.vmem_read),
      vmem_write_ridge_point: ridge(DEVICE.vmem_write),
    },
  };
  const messages = {
    cols: [
      { id: 'severity', label: 'Severity', type: 'string' },
      { id: 'message', label: 'Message', type: 'string' },
    ],
    rows: [],
  };
  return `${JSON.stringify([table, messages])}\n`;
}
