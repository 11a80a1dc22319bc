// The commands of the chosen deployment.
import { useState } from 'preact/hooks';
import { count, number, plural } from '../format';
import { Choice } from '../widgets/Choice';
import { CopyButton } from '../widgets/CopyButton';
import type { FrontierJson } from './frontier';
import type { Chosen } from './Picks';

const COMMANDS = [
  ['vllm', 'vLLM'],
  ['sglang', 'SGLang'],
  ['trtllm', 'TensorRT-LLM'],
  ['benchmark', 'Benchmark'],
] as const;
type Command = (typeof COMMANDS)[number][0];

/** How to start the chosen deployment, and how to measure it. */
export function Launch({ json, chosen }: { json: FrontierJson; chosen: Chosen }) {
  const [shown, setShown] = useState<Command>('vllm');
  const { name, picks } = json.machines[chosen.machine]!;
  const { asked, best, launch, throughput } = picks[chosen.row]!;
  if (!best || !launch) return null;
  const text = launch[shown].trim();
  return (
    <section class="launch" aria-label="Commands">
      <p>
        <strong>
          {name}, {best.layout}
        </strong>{' '}
        <span class="muted">
          {plural(best.machines, 'machine')}, {count(json.prompt)} tokens in, {count(json.generate)} out, for {asked}
        </span>
      </p>
      <p>
        {throughput}{' '}
        <span class="muted">
          All of these are estimates; the bound is {number(best.bound_tokens_per_s_per_machine)} tokens/s per machine.
        </span>
      </p>
      <div class="launch-bar">
        <Choice label="Commands for" value={shown} options={COMMANDS} onChange={setShown} />
        <CopyButton label="Copy" content={() => text} />
      </div>
      <pre>{text}</pre>
    </section>
  );
}
