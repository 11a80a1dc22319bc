// A WebGPU device for one measurement: its loss, its errors and its clocks.
import { MATRIX_FEATURES, matrixUnits, type MatrixInfo, type MatrixUnits, type UnitFormat } from './matrix_units';
import { nothing } from './shaders';
import { clockStep, throwIfCancelled, unlessCancelled, type Run } from '../probing';

// Missing from TypeScript's library.
declare const GPUBufferUsage: Record<'STORAGE' | 'COPY_SRC' | 'COPY_DST' | 'MAP_READ' | 'QUERY_RESOLVE', number>;
declare const GPUMapMode: { READ: number };

/** Why there is no GPU to measure. */
export class NoGpu extends Error {}

export interface Kernel {
  pipeline: GPUComputePipeline;
  group: GPUBindGroup;
  workgroups: [number, number?, number?];
}

const LOSS_MS = 200; // a call may fail before the loss of the device that caused it is reported
const SUBMISSIONS = 3; // of each size, where there are no timestamps
const MOST_BUFFER = 2 ** 30; // bytes: what a browser gives without ending the page

export class Gpu {
  private readonly lost: Promise<never>;
  private readonly queries: { set: GPUQuerySet; resolved: GPUBuffer; mapped: GPUBuffer } | null;
  private readonly buffers = new Set<GPUBuffer>();

  private constructor(
    readonly adapter: GPUAdapter,
    readonly device: GPUDevice,
    private readonly run: Run,
  ) {
    this.lost = device.lost.then(({ reason, message }) => {
      throw new Error(
        `the GPU was lost${message ? `: ${message}` : ''}${reason === 'destroyed' ? ' (destroyed)' : ''}`,
      );
    });
    this.lost.catch(() => {}); // wait() reports it
    this.queries = device.features.has('timestamp-query')
      ? {
          set: device.createQuerySet({ type: 'timestamp', count: 2 }),
          resolved: device.createBuffer({ size: 16, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC }),
          mapped: device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST }),
        }
      : null;
  }

  /** The fastest adapter's device, with what it has of formats, clocks and large buffers. Rejects with NoGpu. */
  static async start(run: Run): Promise<Gpu> {
    if (!navigator.gpu) throw new NoGpu('this browser has no WebGPU, or the page is not served over https');
    const adapter = await unlessCancelled(
      run.signal,
      navigator.gpu.requestAdapter({ powerPreference: 'high-performance' }),
    );
    if (!adapter) throw new NoGpu('this browser offers no GPU (chrome://gpu says why)');
    const wanted = ['timestamp-query', 'shader-f16', ...MATRIX_FEATURES] as GPUFeatureName[];
    const device = await adapter.requestDevice({
      requiredFeatures: wanted.filter(feature => adapter.features.has(feature)),
      requiredLimits: {
        maxBufferSize: Math.min(MOST_BUFFER, adapter.limits.maxBufferSize),
        maxStorageBufferBindingSize: Math.min(MOST_BUFFER, adapter.limits.maxStorageBufferBindingSize),
      },
    });
    return new Gpu(adapter, device, run);
  }

  /** What the browser says of the GPU: "nvidia ampere", "google swiftshader". */
  get name() {
    const { vendor, architecture, description } = this.adapter.info;
    return description || [vendor, architecture].filter(Boolean).join(' ') || 'GPU';
  }

  /** Whether shaders may multiply packed 8-bit integers. */
  get dotsOfBytes() {
    return navigator.gpu.wgslLanguageFeatures.has('packed_4x8_integer_dot_product');
  }

  get halfFloats() {
    return this.device.features.has('shader-f16');
  }

  /** Its matrix units for a format; null: the browser offers none. */
  matrixUnits(format: UnitFormat): MatrixUnits | null {
    if (!MATRIX_FEATURES.every(feature => this.device.features.has(feature))) return null;
    if (format === 'fp16' && !this.halfFloats) return null;
    return matrixUnits(this.adapter.info as MatrixInfo, format);
  }

  /** By timestamps of the GPU, else by the page's clock. */
  get clock() {
    return this.queries ? 'timestamps of the GPU' : 'differences of repeated submissions';
  }

  get largestBuffer() {
    return Math.min(this.device.limits.maxBufferSize, this.device.limits.maxStorageBufferBindingSize);
  }

  /** The promise's value; rejects when the run is cancelled or the device lost. */
  wait<T>(promise: Promise<T>): Promise<T> {
    const settled = promise.catch(async error => {
      await Promise.race([this.lost, new Promise(resolve => setTimeout(resolve, LOSS_MS))]);
      throw error;
    });
    return unlessCancelled(this.run.signal, Promise.race([settled, this.lost]));
  }

  /** A storage buffer; null: there is not enough memory. */
  async buffer(size: number): Promise<GPUBuffer | null> {
    const { device } = this;
    device.pushErrorScope('out-of-memory');
    device.pushErrorScope('validation');
    const made = device.createBuffer({
      size,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    });
    const faults = await this.wait(Promise.all([device.popErrorScope(), device.popErrorScope()]));
    if (faults.some(Boolean)) return null;
    this.buffers.add(made);
    return made;
  }

  release(buffer: GPUBuffer) {
    this.buffers.delete(buffer);
    buffer.destroy();
  }

  /** A buffer with these numbers. */
  async filled(numbers: ArrayBufferView<ArrayBuffer>): Promise<GPUBuffer> {
    const made = await this.buffer(Math.max(16, Math.ceil(numbers.byteLength / 4) * 4));
    if (!made) throw new Error(`the GPU has no memory for ${numbers.byteLength} bytes`);
    this.device.queue.writeBuffer(made, 0, numbers.buffer, numbers.byteOffset, numbers.byteLength);
    return made;
  }

  /** A shader of `code` over its buffers, in the order of their bindings. Rejects with the compiler's message. */
  async kernel(
    code: string,
    buffers: GPUBuffer[],
    workgroups: Kernel['workgroups'],
    constants: Record<string, number> = {},
  ): Promise<Kernel> {
    throwIfCancelled(this.run.signal);
    const module = this.device.createShaderModule({ code });
    const pipeline = await this.wait(
      this.device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint: 'main', constants } }),
    );
    const group = this.device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    return { pipeline, group, workgroups };
  }

  /** A kernel that does nothing that takes time. */
  async emptyKernel(): Promise<Kernel> {
    return this.kernel(nothing, [await this.filled(new Float32Array(4))], [1]);
  }

  /** Seconds that `count` dispatches take together. */
  async time(kernel: Kernel, count: number): Promise<number> {
    if (this.queries) {
      const seconds = await this.submit(kernel, count, true);
      if (seconds > 0) return seconds; // some drivers' timestamps stand still
    }
    // A submission's own time is in both, and not in the difference; a delay of one of them is not, so each is the shortest of several.
    let once = Infinity;
    let thrice = Infinity;
    for (let i = 0; i < SUBMISSIONS; ++i) {
      once = Math.min(once, await this.submit(kernel, count, false));
      thrice = Math.min(thrice, await this.submit(kernel, 3 * count, false));
    }
    return Math.max((thrice - once) / 2, clockStep() / 2);
  }

  /** Seconds of one submission: by timestamps, else until the page hears that it is done. */
  private async submit(kernel: Kernel, count: number, stamped: boolean): Promise<number> {
    const { device, queries } = this;
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass(
      stamped && queries
        ? { timestampWrites: { querySet: queries.set, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 } }
        : {},
    );
    pass.setPipeline(kernel.pipeline);
    pass.setBindGroup(0, kernel.group);
    for (let i = 0; i < count; ++i) pass.dispatchWorkgroups(...kernel.workgroups);
    pass.end();
    if (stamped && queries) {
      encoder.resolveQuerySet(queries.set, 0, 2, queries.resolved, 0);
      encoder.copyBufferToBuffer(queries.resolved, 0, queries.mapped, 0, 16);
    }
    const start = performance.now();
    device.queue.submit([encoder.finish()]);
    await this.wait(device.queue.onSubmittedWorkDone());
    const waited = (performance.now() - start) / 1000;
    if (!stamped || !queries) return waited;
    await this.wait(queries.mapped.mapAsync(GPUMapMode.READ));
    const [from, to] = new BigUint64Array(queries.mapped.getMappedRange().slice(0));
    queries.mapped.unmap();
    return Number(to! - from!) / 1e9;
  }

  /** The bytes of a buffer, as they are once all that was submitted is done. */
  async read(buffer: GPUBuffer, size: number): Promise<ArrayBuffer> {
    const mapped = this.device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, mapped, 0, size);
    this.device.queue.submit([encoder.finish()]);
    await this.wait(mapped.mapAsync(GPUMapMode.READ));
    const bytes = mapped.getMappedRange().slice(0);
    mapped.destroy();
    return bytes;
  }

  end() {
    for (const buffer of this.buffers) buffer.destroy();
    this.device.destroy();
  }
}
