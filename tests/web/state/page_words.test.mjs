// Messages on the page name its controls instead of the command's options: web/src/sources/page_words.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const { inPageWords, isAboutColumns } = await bundled('sources/page_words.ts');

test('an option becomes the control', () => {
  const unit = 'expected it, as in --column "triton=TFLOP/s" --column "cublas=TFLOP/s" (or GB/s)';
  assert.ok(isAboutColumns(unit));
  assert.equal(inPageWords(unit), 'expected it, as in “triton” as TFLOP/s “cublas” as TFLOP/s (or GB/s)');
  assert.equal(
    inPageWords('expected it with --column, as in --column "cycles=cycles at 1 GHz"'),
    'expected it under Map columns, as in “cycles” as cycles at 1 GHz',
  );
  assert.equal(
    inPageWords('the weights count as 16 bits. --weights chooses another format.'),
    'the weights count as 16 bits. Weights chooses another format.',
  );
  assert.equal(
    inPageWords('open the .tflite itself, with --machine coral-edge-tpu'),
    'open the .tflite itself, with the machine “coral-edge-tpu”',
  );
  assert.equal(inPageWords('XML, which is a machine: --machine ./FILE'), 'XML, which is a machine: open it here');
  assert.equal(
    inPageWords('llama-bench: `roofline llm MODEL --measured FILE` takes it'),
    'llama-bench: on the command line, `roofline llm MODEL --measured FILE` compares a plan with it',
  );
  assert.match(
    inPageWords('`roofline frontier MODEL -o svg --measured FILE` draws runs that state a mean time per token'),
    /^plan the language model, then drop the file on Serving/,
  );
  assert.equal(
    inPageWords('plan it (`roofline llm MODEL --batch N`) and give its points as a benchmark in JSON (--measured)'),
    'plan it here; on the command line, `roofline llm MODEL --measured FILE` compares it with its points in JSON',
  );
  assert.equal(inPageWords('choose one, with --set bandwidths.NVLink=3e11'), 'choose one');
});

test('an option of a profiler stays', () => {
  for (const text of ['collect them with --set roofline', 'nsys stats --format csv', 'ncu --page raw --column "a=b"'])
    assert.equal(inPageWords(text), text);
});
