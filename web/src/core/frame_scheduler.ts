// Decides when frames are asked for, and when each part of the page shows them. At most one request is under way, and the newest state wins.
// During a drag only the chart updates every frame; table and panels update in turn, every 48 ms. While whole frames are slow, because there
// are very many operations, a drag asks for the chart alone, and for a whole frame a few times a second.

/** Milliseconds. Tests replace it. */
export interface Clock {
  now(): number;
  after(ms: number, task: () => void): number;
  cancel(timer: number): void;
}

/** What the scheduler asks, and the parts of the page that it updates. */
interface Screen<Reply> {
  /** What the core places the points by. Frames of different positions, close in time, are a drag; scrolling the table is none. */
  position(): readonly unknown[];
  ask(chartAlone: boolean): Promise<Reply>;
  isChartAlone(reply: Reply): boolean;
  showChart(reply: Reply): void;
  /** What updates the other parts to the last whole reply. */
  parts: (() => void)[];
  /** Runs updates as one. */
  batch(updates: () => void): void;
}

const DRAG_MS = 250; // replies closer to each other than this belong to one drag
const TURN_MS = 48; // from one part's update to the next; this long after a drag's last reply all parts are updated
const SLOW_MS = 8; // a whole frame that takes longer is slow
const WHOLE_MS = 250; // from one whole frame to the next while a drag asks for the chart alone; at least ten times what one takes

export class FrameScheduler<Reply> {
  private wanted = false;
  private running: Promise<void> | null = null;
  private wholeNext = false; // the next request is for a whole frame, also during a drag
  private position: readonly unknown[] = []; // of the last request
  private drags = false; // the next request is part of a drag, although the position is the same
  private wholeMs = 0; // what the last whole frame took
  private wholeAsked = -Infinity;
  private replied = -Infinity;
  private chartIsAhead = false; // the last reply was for the chart alone
  private parts: (() => void)[]; // the outdated ones first, in their order
  private outdated = 0;
  private turned = -Infinity; // when a part had its turn
  private timer = 0;

  constructor(
    private screen: Screen<Reply>,
    private clock: Clock,
  ) {
    this.parts = [...screen.parts];
  }

  /** Asks for a frame of the state as it is once the core is free. */
  request(): Promise<void> {
    this.wanted = true;
    return (this.running ??= this.run());
  }

  /** The same for a whole frame. Resolves when all parts show it. */
  async refresh() {
    this.wholeNext = true;
    await this.request();
    this.screen.batch(() => this.updateAll());
  }

  /** Shows a reply on all parts; during a drag on the chart, and on the others in turn. */
  show(reply: Reply, dragged = false) {
    const { clock, screen } = this;
    this.replied = clock.now();
    this.chartIsAhead = screen.isChartAlone(reply);
    screen.batch(() => {
      screen.showChart(reply);
      if (this.chartIsAhead) return;
      this.outdated = this.parts.length;
      if (!dragged) this.updateAll();
    });
    clock.cancel(this.timer);
    if (dragged) this.timer = clock.after(TURN_MS, () => this.endDrag());
  }

  private async run() {
    await Promise.resolve(); // several signals that change together make one request
    try {
      while (this.wanted) await this.showNext();
    } finally {
      this.running = null; // at once: rendering what was shown last may lead to another request
    }
  }

  private async showNext() {
    this.wanted = false;
    const { clock, screen } = this;
    const start = clock.now();
    const position = screen.position();
    const moved = position.some((value, i) => value !== this.position[i]);
    const dragged = (moved || this.drags) && start - this.replied < DRAG_MS;
    const chartAlone = moved && dragged && this.wholeMs > SLOW_MS && !this.wholeNext;
    this.position = position;
    this.drags = this.wholeNext = false;
    const asked = screen.ask(chartAlone);
    if (moved) clock.after(0, () => this.takeTurn()); // while the core answers
    this.show(await asked, dragged);
    if (!this.chartIsAhead) [this.wholeMs, this.wholeAsked] = [this.replied - start, start];
    else if (start - this.wholeAsked > Math.max(WHOLE_MS, 10 * this.wholeMs)) this.wanted = this.drags = true;
  }

  /** Updates the part that has been outdated for longest. */
  private takeTurn() {
    if (this.outdated === 0 || this.clock.now() - this.turned < TURN_MS) return;
    this.turned = this.clock.now();
    --this.outdated;
    const part = this.parts.shift()!;
    this.parts.push(part);
    this.screen.batch(part);
  }

  private endDrag() {
    if (this.running) return; // its reply sets the timer again
    if (this.chartIsAhead) void this.refresh();
    else this.screen.batch(() => this.updateAll());
  }

  private updateAll() {
    for (; this.outdated > 0; --this.outdated) this.parts[this.outdated - 1]!();
  }
}
