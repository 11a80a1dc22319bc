// The core's own answers, asked in Node without the page: what each task of the walk has to find. Needs build/wasm/.
import assert from 'node:assert/strict';
import { startCore, startOnDemand } from '../../wasm/start.mjs';

const core = startCore();

/** A finding as the page's headline reads. */
export const textOf = finding =>
  (typeof finding === 'string' ? finding : finding.map(({ text }) => text).join('')).replace(/\s+/g, ' ').trim();

/** A session with files opened in this order, the earlier ones kept for a comparison, or with what is built; under some settings. */
export async function coreWith({ files = {}, built, settings = {} }) {
  const { Session, HEAPU8 } = await core;
  void HEAPU8;
  const session = new Session();
  const send = async (bytes, name) => {
    const at = session.begin(bytes.length, name); // memory may grow here: HEAPU8 after it
    (await core).HEAPU8.set(bytes, at);
  };
  const names = Object.keys(files);
  for (const [i, name] of names.entries()) {
    const bytes = Buffer.from(files[name]);
    if (i > 0) session.keep(true);
    await send(bytes, name);
    session.prepare();
    session.start(name, bytes.length);
    await send(bytes, name);
    session.feed();
    const { error } = JSON.parse(session.finish());
    assert.equal(error, undefined, name);
  }
  if (built) {
    const { error } = JSON.parse(session.build(built.built, JSON.stringify(built.request)));
    assert.equal(error, undefined);
  }
  assert.equal(session.configure(JSON.stringify(settings)), '{}');
  session.view(JSON.stringify({ sort: 'lost', descending: true, rows: 10 }));
  return {
    frame: () => JSON.parse(session.frame().json),
    ask: (question, request = {}) => JSON.parse(session.ask(question, JSON.stringify(request)).json),
  };
}

/** The state that a link of the page holds. */
export const stateOf = link => JSON.parse(Buffer.from(new URL(link).hash.slice(1), 'base64url'));

/** The same for a link to an operator or a model. */
export const coreOf = link => {
  const { source, settings } = stateOf(link);
  return coreWith({ built: source, settings });
};

/** What GGUF's types lose of a sample, dB by type. */
export async function ggufAccuracies(sample) {
  const { calls, put, answer } = await startOnDemand('quantize.wasm');
  put('accuracy', JSON.stringify({ sample }));
  calls.ask('accuracy'.length, 0);
  return JSON.parse(answer()).sqnr_db;
}
