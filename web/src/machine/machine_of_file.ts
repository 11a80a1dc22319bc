// The machine that was chosen for a file: kept with its copy, and offered when the same file is opened again.
import { isOwnFile } from '../share/link';
import { keptFiles, rememberMachine } from '../sources/own_files';
import { source } from '../sources/opened';
import { linkedSource } from '../sources/source_files';

/** The kept copy of the open file, or of the first of several. */
function keptCopy() {
  const from = source.value && linkedSource(source.value);
  if (!from || !isOwnFile(from)) return undefined;
  const { sha256 } = from.files?.[0] ?? from;
  return keptFiles.value.find(({ plain }) => plain === sha256);
}

/** The option of the machine (machine_options.ts) that was chosen for the open file. */
export const chosenForFile = () => keptCopy()?.machine;

export function chooseForFile(option: string) {
  const copy = keptCopy();
  if (copy) void rememberMachine(copy.sha256, option);
}
