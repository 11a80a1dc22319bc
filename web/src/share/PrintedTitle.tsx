// Of what a printed page is, and on which machine: on the screen the panels beside it say so.
import { machine, panelFrame } from '../core/engine';
import { sample } from '../sources/files';

export function PrintedTitle() {
  const source = panelFrame.value?.json.source;
  if (!source) return null;
  return (
    <p class="on-paper">
      {sample.value?.title ?? source}
      {machine.value && ` on ${machine.value.name}`}
    </p>
  );
}
