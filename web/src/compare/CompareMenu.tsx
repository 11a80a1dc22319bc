// The menu that starts a comparison: what the open run is compared with.
import { compareWithItself, compareWithSample, endComparison } from './comparison';
import { hasDimensions, isMeasured } from '../network/network';
import { chooseOtherRun } from '../sources/input';
import { opened, samples, source } from '../sources/opened';
import { Menu } from '../widgets/Menu';

/** A button of the top bar. */
export const CompareMenu = () => (
  <Menu label="Compare" align="right" class="compare-menu">
    {close => <CompareItems close={close} />}
  </Menu>
);

/** The items of that menu, also used in the menu of all actions on a phone. */
export function CompareItems({ close }: { close: () => void }) {
  const item = (label: string, text: string | undefined, act: () => unknown) => (
    <button key={label} type="button" class="item" onClick={() => (close(), void act())}>
      <strong>{label}</strong>
      {text && <span class="muted">{text}</span>}
    </button>
  );
  return (
    <>
      {opened.value?.before && item('End comparison', `with ${opened.value.before}`, endComparison)}
      {item(...COMPARE_WITH_FILE, chooseOtherRun)}
      {item(...withItself(), compareWithItself)}
      <details class="items">
        <summary>Compare with a sample</summary>
        {samples.value.map(({ id, title }) => item(`Compare with ${title}`, undefined, () => compareWithSample(id)))}
      </details>
    </>
  );
}

/** The label and the hint of a comparison with another file. */
export const COMPARE_WITH_FILE = ['Compare with another file…', 'the open file becomes the run before'] as const;

/** The label and the hint of a comparison of the run with itself. Times in a file are measured: only its machine can differ. */
export const withItself = (): [label: string, hint: string] =>
  (source.value && 'built' in source.value) || (hasDimensions.value && !isMeasured.value)
    ? ['Compare with a changed copy', 'then change its sizes']
    : ['Compare on two machines', 'the same run, judged by each machine'];
