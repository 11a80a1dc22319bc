// Documents against their JSON Schemas, as `roofline schema` prints them. To a test they are strict: a member that no schema tells of is
// a fault, while readers of a document pass over it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const { default: Ajv } = createRequire(new URL('../../web/package.json', import.meta.url))('ajv/dist/2020.js');
const ajv = new Ajv({ strict: false });
const compiled = new Map();

function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const out = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (schema.type === 'object' && schema.properties && !('additionalProperties' in schema))
    out.additionalProperties = false;
  return out;
}

export function schema(binary, name) {
  const { status, stdout, stderr } = spawnSync(binary, ['schema', name], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/// Throws where `document` is not what the schema says; `name` without one is what the document itself says.
export function validate(binary, document, name = document.schema) {
  if (!compiled.has(name)) compiled.set(name, ajv.compile(closed(schema(binary, name))));
  const valid = compiled.get(name);
  if (valid(document)) return;
  const [error] = valid.errors;
  assert.fail(`${name}: ${error.instancePath || 'the document'} ${error.message} ${JSON.stringify(error.params)}`);
}
