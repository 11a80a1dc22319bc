// Copies or saves a plan in the input format of the tool that applies it, and as JSON.
import { download, downloadJson } from '../core/download';
import { CopyButton } from '../widgets/CopyButton';
import type { PlanAnswer } from './plan';

/** The file by the tool that reads it. */
const FILES: Record<string, string> = {
  'llama-quantize': 'quantize.sh',
  ik: 'quantize.sh',
  'llm-compressor': 'recipe.yaml',
  onnxruntime: 'quantize.py',
  nncf: 'quantize.py',
  json: 'plan.json',
};

/** Takes the file's name and text from the answer, even if another tool is chosen since. */
export function PlanExport({ answer: { plan, text, tool } }: { answer: PlanAnswer }) {
  const name = FILES[tool]!;
  return (
    <section class="launch" aria-label="Export of the plan">
      <div class="launch-bar view-controls">
        <CopyButton label="Copy" content={() => text} />
        <button type="button" class="link" onClick={() => download(new Blob([text], { type: 'text/plain' }), name)}>
          Save {name}
        </button>
        <button type="button" class="link" onClick={() => downloadJson(plan, 'plan.json')}>
          Save as JSON
        </button>
      </div>
      <pre tabIndex={0}>{text.trim()}</pre>
    </section>
  );
}
