// Which operands the open file has, and how their what-if formats change.
import { hasCache } from '../sources/opened';
import { changeWhatIf, OPERANDS, settings, type Patch, type WhatIf } from '../core/settings';

/** The operands with a field. A cache that no operation has gets one if its format was set apart from the others, to be cleared. */
export const shownOperands = () => OPERANDS.filter(operand => operand !== 'kv' || !isCacheFieldHidden());

function isCacheFieldHidden() {
  const { kv, activation } = settings.value.whatif ?? {};
  return !hasCache.value && (kv === undefined || kv === activation);
}

/** Changes formats of operands. A cache without a field takes one only together with the activations; else it would be left behind unseen. */
export const changeOperands = (part: Patch<WhatIf>) =>
  changeWhatIf({ ...(isCacheFieldHidden() && { kv: undefined }), ...part });
