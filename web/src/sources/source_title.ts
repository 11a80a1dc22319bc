import { models, operators } from '../core/catalogue';
import { samples } from './opened';
import type { Source } from '../share/link';

/** The name of a model that a file described. */
const nameIn = (model: unknown) => {
  const { name, _name_or_path: path } = (model ?? {}) as { name?: string; _name_or_path?: string };
  return name ?? path;
};

/** A source's name for people. */
export function titleOf(source: Source | null) {
  if (!source) return 'nothing';
  if ('file' in source) return source.file;
  if ('sample' in source) return samples.value.find(({ id }) => id === source.sample)?.title ?? source.sample;
  const { model, type } = source.request as { model?: unknown; type?: unknown };
  const named = (list: { id: string; name: string }[], id: unknown, otherwise: string) =>
    typeof id === 'string' ? (list.find(entry => entry.id === id)?.name ?? id) : (nameIn(id) ?? otherwise);
  return source.built === 'model'
    ? named(models.value, model, 'a language model')
    : named(operators.value, type, 'an operator');
}
