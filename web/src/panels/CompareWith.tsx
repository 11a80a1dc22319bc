// The second run: another file, a sample, or the open run itself.
import { useRef } from 'preact/hooks';
import { compareWith, compareWithItself, compareWithSample, endComparison } from '../state/compare';
import { opened, samples } from '../state/files';
import { Menu } from '../widgets/Menu';

/** The choice of a second run. */
export function CompareWith() {
  const input = useRef<HTMLInputElement>(null);
  const now = opened.value;
  if (!now) return null;
  return (
    <>
      {now.before && (
        <p class="muted">
          Compared with {now.before}.{' '}
          <button type="button" class="link" onClick={() => void endComparison()}>
            End
          </button>
        </p>
      )}
      <div>
        <Menu class="compare-menu" label="Compare with…">
          {close => {
            const item = (label: string, text: string, act: () => void) => (
              <button key={label} type="button" class="item" onClick={() => (close(), act())}>
                <strong>{label}</strong>
                <span class="muted">{text}</span>
              </button>
            );
            return (
              <>
                {item('Another file…', 'of any kind: what is open stays as the run before', () =>
                  input.current!.click(),
                )}
                {item(
                  'This run itself',
                  'then change it, or choose another machine for the run before',
                  () => void compareWithItself(),
                )}
                {samples.value.map(({ id, title }) => item(title, 'sample', () => void compareWithSample(id)))}
              </>
            );
          }}
        </Menu>
        <input
          type="file"
          id="compare-input"
          ref={input}
          hidden
          aria-label="Compare with another run"
          onChange={event => {
            void compareWith(event.currentTarget.files!);
            event.currentTarget.value = '';
          }}
        />
      </div>
    </>
  );
}
