// Measured runs beside the frontier: published ones, and results that are dropped on the page.
import { useEffect, useState } from 'preact/hooks';
import { count, number, seconds } from '../format';
import { fileInterceptor } from '../compare/comparison';
import { bytesOf } from '../core/assets';
import { viewState, type ServingRun } from '../core/view';
import { complain } from '../sources/opened';
import type { InputFile } from '../worker/messages';
import { changeServing, readRuns, type FrontierJson } from './frontier';

/** A measured run on the chart. */
export interface Ring {
  machine: number; // in the answer
  own: boolean; // the user's
  speed: number; // tokens/s per user
  perMachine: number; // output tokens/s
  machines?: number;
  wait: number | null; // s to the first token
  lines: string[]; // its description
}

/** A run of web/measured_serving.mjs. */
interface Published {
  prompt: number;
  generate: number;
  users: number;
  tpot_ms: number;
  ttft_ms: number | null;
  per_gpu: number;
  run: string;
  layout: string;
  date: string;
  source: string;
}
type Table = Record<string, Record<string, Published[]>>;

let table: Promise<Table> | null = null;
const loadTable = () =>
  (table ??= bytesOf('measured_serving.json').then(bytes => JSON.parse(new TextDecoder().decode(bytes)) as Table));

const NEAR = 0.1; // greatest difference of lengths, a fraction
const near = (a: number, b: number) => Math.abs(a - b) <= NEAR * b;

/** Lengths that published runs of the model have on the machines, the most runs first. */
export interface Lengths {
  prompt: number;
  generate: number;
  runs: number;
}

/** Published runs of the model and the machines at these lengths, and the lengths of all others. */
export function usePublished(json: FrontierJson | null): { rings: Ring[]; others: Lengths[] } {
  const [all, setAll] = useState<Table | null>(null);
  useEffect(() => {
    loadTable().then(setAll, () => (table = null)); // the frontier is shown without them
  }, []);
  if (!json || !all) return { rings: [], others: [] };
  const runs = json.machines.flatMap(({ id }, machine) =>
    (all[json.model]?.[id] ?? []).map(run => ({ ...run, machine })),
  );
  const same = ({ prompt, generate }: Published) => near(prompt, json.prompt) && near(generate, json.generate);
  const others = new Map<string, Lengths>();
  for (const run of runs.filter(one => !same(one))) {
    const { prompt, generate } = run;
    const key = `${prompt} ${generate}`;
    others.set(key, { prompt, generate, runs: (others.get(key)?.runs ?? 0) + 1 });
  }
  return {
    rings: runs.filter(same).map(run => ({
      machine: run.machine,
      own: false,
      speed: 1e3 / run.tpot_ms,
      perMachine: run.per_gpu,
      wait: run.ttft_ms === null ? null : run.ttft_ms / 1e3,
      lines: [
        `${run.run}, ${run.layout}, ${count(run.users)} users`,
        `${count(run.prompt)} in, ${count(run.generate)} out`,
        `${run.date}, ${run.source}`,
      ],
    })),
    others: [...others.values()].sort((a, b) => b.runs - a.runs),
  };
}

/** Whether the run's lengths, where it states them, are those of the frontier. */
export const hasLengths = ({ prompt, generate }: ServingRun, json: FrontierJson) =>
  (prompt == null || near(prompt, json.prompt)) && (generate == null || near(generate, json.generate));

/** The user's own runs on machines of the answer, at its lengths. */
export const ownRings = (json: FrontierJson): Ring[] =>
  (viewState.value.serving?.runs ?? []).flatMap(run => {
    const machine = json.machines.findIndex(({ id }) => id === run.machine);
    if (machine < 0 || !hasLengths(run, json)) return [];
    return {
      machine,
      own: true,
      speed: 1 / run.tpot_s,
      perMachine: run.output_tokens_per_s / run.machines,
      machines: run.machines,
      wait: run.ttft_s ?? null,
      lines: [runText(run)],
    };
  });

/** "64 users, 8,000 in, 1,000 out, 27.9 ms per token, 267 tokens/s per machine" */
export const runText = (run: ServingRun) =>
  [
    run.concurrency != null && `${count(run.concurrency)} users`,
    run.prompt != null && run.generate != null && `${number(run.prompt)} in, ${number(run.generate)} out`,
    `${seconds(run.tpot_s)} per token`,
    `${number(run.output_tokens_per_s / run.machines)} tokens/s per machine`,
  ]
    .filter(Boolean)
    .join(', ');

// What JSON, CSV and printed summaries of serving benchmarks hold.
const LIKELY = /(mean|median)[ _]tpot|output_token_throughput|inter[ _]token[ _]latency/i;
const MOST_BYTES = 50e6; // a result may have the times of every request

/** While the view is shown, results of benchmarks that are opened become runs on that machine. */
export function useDroppedRuns(on: { machine: string; machines: number } | null) {
  useEffect(() => {
    if (!on) return;
    fileInterceptor.intercept = async files => {
      const others: InputFile[] = [];
      const runs: ServingRun[] = [];
      for (const file of files) {
        const text = file.blob.size < MOST_BYTES ? await file.blob.text() : '';
        if (!LIKELY.test(text)) {
          others.push(file);
          continue;
        }
        try {
          for (const run of await readRuns(text)) runs.push({ name: file.name, ...on, ...run });
        } catch (error) {
          complain(file.name, error);
        }
      }
      if (runs.length) changeServing({ runs: [...(viewState.peek().serving?.runs ?? []), ...runs] });
      return others;
    };
    return () => {
      fileInterceptor.intercept = undefined;
    };
  }, [on?.machine, on?.machines]);
}
