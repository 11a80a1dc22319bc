// The source and the machine on a printed page, which has no top bar.
import { machineAndBasis, panelFrame } from '../core/engine';
import { printedName } from '../sources/opened';

export function PrintedTitle() {
  const source = panelFrame.value?.json.source;
  if (!source) return null;
  return (
    <p class="on-paper">
      {printedName(source)}
      {machineAndBasis() && ` on ${machineAndBasis()}`}
    </p>
  );
}
