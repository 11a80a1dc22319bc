// The Share menu: a link to the current view, and the code to embed it.
import { useEffect, useState } from 'preact/hooks';
import { bytes, count } from '../format';
import { selfContained } from '../core/assets';
import { before, opened, source } from '../sources/opened';
import { fingerprint, linkedSource, openedFiles, registries } from '../sources/source_files';
import { linkHasInput, linkHasNames, linkHasSummary } from '../core/layout';
import { currentState } from '../shell/session';
import { stateWithoutNames } from './anonymous';
import { encodeLink, isOwnFile } from './link';
import { carriedInput, INPUT_BYTES, summarised, withoutOwnFiles, type Carried } from './carried';
import { CopyButton } from '../widgets/CopyButton';
import { Menu } from '../widgets/Menu';

declare const SITE: string; // the address of the live site; empty: not set for the build
const LONG_LINK = 4000; // characters

/** The link to what is shown. */
export function ShareMenu() {
  return (
    <Menu label="Share" align="right" onOpen={() => void fingerprint()}>
      {() => <Share />}
    </Menu>
  );
}

function Share() {
  const [carried, setCarried] = useState<Carried | null>(null);
  const from = source.value;
  const earlier = opened.value?.before ? before.value : null;
  const size = opened.value?.size ?? Infinity;
  const isPrivate = from !== null && isOwnFile(from);
  const isOneFile = openedFiles().length === 1 && registries.value.length === 0; // a link carries no second one
  const fits = isPrivate && isOneFile && size <= INPUT_BYTES;
  const whole = fits && linkHasInput.value;
  const summary = isPrivate && !whole && linkHasSummary.value;
  useEffect(() => {
    let wanted = true;
    setCarried(null);
    if (whole || summary)
      void (whole ? carriedInput(from, earlier) : summarised()).then(made => wanted && setCarried(made));
    return () => void (wanted = false);
  }, [from, earlier, whole, summary]);
  const nameless = linkHasNames.value ? null : carried?.nameless;
  const shared = nameless ?? carried?.file ?? from;
  const state = summary ? currentState(shared, null) : currentState(shared);
  const others = carried?.before ? { ...state, before: carried.before } : state;
  const asked = shared && 'text' in shared ? withoutOwnFiles(others) : state;
  const sent = nameless ? stateWithoutNames(asked) : asked;
  const hash = `#${encodeLink(sent)}`;
  const page = selfContained() && SITE ? SITE : location.href.split(/[?#]/)[0]!;
  const link = page + hash;
  return (
    <div class="share">
      <CopyField label="Link" text={link} primary />
      {fits && (
        <label class="check">
          <input
            type="checkbox"
            checked={linkHasInput.value}
            onChange={event => (linkHasInput.value = event.currentTarget.checked)}
          />{' '}
          Include the input ({bytes(size)})
        </label>
      )}
      {isPrivate && !whole && (
        <label class="check">
          <input
            type="checkbox"
            checked={linkHasSummary.value}
            onChange={event => (linkHasSummary.value = event.currentTarget.checked)}
          />{' '}
          Include a summary: work, bytes and times of each operation
        </label>
      )}
      {carried?.nameless && (
        <label class="check">
          <input
            type="checkbox"
            checked={!linkHasNames.value}
            onChange={event => (linkHasNames.value = !event.currentTarget.checked)}
          />{' '}
          Replace names by type and number
        </label>
      )}
      <p class="muted">
        {!isPrivate
          ? 'Includes all settings.'
          : carried
            ? summary
              ? `Includes all settings and the summary, with the sizes of matrix products; not the file.${carried.whole ? '' : ' The operations with the least time are added up by type: some of their figures differ.'}`
              : `Includes all settings and the input${carried.before && !nameless ? ' of both runs' : ''}.`
            : `Includes all settings, not the data: the page asks the recipient for ${from.file}${'sha256' in linkedSource(from) ? ' and checks its SHA-256' : ''}.`}
        {earlier && !sent.before && ' The comparison is not included.'}
      </p>
      {link.length > LONG_LINK && (
        <p class="muted">{count(link.length)} characters: some chats and mail programs cut such a link.</p>
      )}
      {selfContained() && !SITE && (
        <p class="muted">The link works on this computer only: it opens this copy of the page.</p>
      )}
      <CopyField
        label="Embed"
        text={`<iframe src="${page}?embed${hash}" title="Roofline" width="800" height="500"></iframe>`}
      />
      <p class="muted">
        Embed the chart and headline only
        {isPrivate && !carried ? '; it needs the input or its summary in the link' : ''}.
      </p>
    </div>
  );
}

/** A text with a button that copies it. */
const CopyField = ({ label, text, primary = false }: { label: string; text: string; primary?: boolean }) => (
  <div class="row">
    <input type="text" readOnly value={text} aria-label={label} onFocus={event => event.currentTarget.select()} />
    <CopyButton label={primary ? 'Copy' : 'Copy embed'} content={() => text} class={primary ? 'primary' : ''} />
  </div>
);
