// The link to what is shown.
import { useEffect, useState } from 'preact/hooks';
import { bytes } from '../format';
import { core } from '../state/core';
import { fingerprint, opened, sha256, source } from '../state/files';
import { currentLink } from '../state/session';
import { Menu } from '../widgets/Menu';

const INPUT_BYTES = 30e3; // an input up to this size may travel in the link

/** The link to what is shown. */
export function ShareMenu() {
  return (
    <Menu
      label={
        <span>
          Share<span class="wide"> link</span>
        </span>
      }
      onOpen={() => void fingerprint(Infinity)}
    >
      {() => <Share />}
    </Menu>
  );
}

function Share() {
  const [embedded, setEmbedded] = useState<string | null>(null);
  const [copied, setCopied] = useState(false);
  const from = source.value;
  const size = opened.value?.size ?? Infinity;
  const isPrivate = from !== null && 'file' in from && !('text' in from);
  const carried = embedded !== null && isPrivate ? { file: from.file, text: embedded } : from;
  const link = `${location.href.split('#')[0]}#${currentLink(carried)}`;
  useEffect(() => setCopied(false), [link]);
  const copy = async () => {
    await navigator.clipboard.writeText(link).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  const embed = async (wanted: boolean) =>
    setEmbedded(wanted ? ((await (await core().sourceBlob())?.text()) ?? null) : null);
  return (
    <div class="share">
      <div class="row">
        <input type="text" readOnly value={link} aria-label="Link" onFocus={event => event.currentTarget.select()} />
        <button type="button" class="primary" onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      </div>
      {isPrivate && size <= INPUT_BYTES && (
        <label class="check">
          <input
            type="checkbox"
            checked={embedded !== null}
            onChange={event => void embed(event.currentTarget.checked)}
          />{' '}
          Put the input ({bytes(size)}) into the link
        </label>
      )}
      <p class="muted">
        {!isPrivate
          ? 'Holds the whole view.'
          : embedded !== null
            ? 'Holds the view and the input itself.'
            : `Holds the view, not the data: whoever opens it is asked for ${from.file}${sha256.value ? ', checked by its SHA-256' : ''}.`}
      </p>
    </div>
  );
}
