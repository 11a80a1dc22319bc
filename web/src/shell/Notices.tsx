// Errors, hints and the progress of a large file, above the page. The open file stays visible below.
import type { ComponentChildren } from 'preact';
import { bytes, placeInFile } from '../format';
import { setAside } from '../sources/awaited';
import { cancelOpening, openJoinedAlone, openSample } from '../sources/files';
import { faults, joinedWith, notice, opened, progress, refusedTable, source } from '../sources/opened';
import { askColumns } from '../sources/asked_columns';
import { chooseFiles } from '../sources/input';
import { isStillWhatIf, ranOn, takenAsWhatIf } from '../sources/machine_file';
import { goOn, stoppedAgain } from '../core/core';
import { settingsFault } from '../core/engine';
import type { Machine } from '../core/machine_document';
import { refusedParameter } from '../operator/operator';
import { inPageWords } from '../sources/page_words';
import { withCode } from '../widgets/Sentence';
import { titleOf } from '../sources/source_title';
import { newVersion } from './offline';
import { continueLastVisit, lastVisit } from './session';
import type { FileRef } from '../share/link';
import type { FileFault } from '../worker/messages';
import { IconButton } from '../widgets/IconButton';
import { machineName } from '../machine/machine_options';

/** Progress, errors and hints above the page. */
export function Notices() {
  const now = progress.value;
  const refused = settingsFault.value;
  const shown = faults.value.filter(({ file }) => file !== '' || !refusedParameter.value); // the field of a refused parameter says why
  return (
    <section class="notices" aria-label="Notices" aria-live="polite">
      {now && <ProgressBar {...now} />}
      {shown.map((fault, i) => (
        <Notice key={i} kind="error" onClose={() => (faults.value = faults.value.filter(other => other !== fault))}>
          {faultText(fault)}
          {source.value && fault.file !== opened.value?.source && fault.file !== '' && (
            <div class="muted">Still open: {titleOf(source.value)}.</div>
          )}
          {fault.file === refusedTable.value?.name && (
            <>
              {' '}
              <button type="button" onClick={() => void askColumns(refusedTable.value!)}>
                Map columns…
              </button>
            </>
          )}
        </Notice>
      ))}
      {refused && (
        <Notice kind="error">Settings: {faultText({ file: refused.path, fault: { ...refused, path: '' } })}</Notice>
      )}
      {stoppedAgain.value !== null && (
        <Notice kind="error">
          The core stopped and could not reopen the source: {stoppedAgain.value}.{' '}
          <button type="button" onClick={() => goOn(true)}>
            Try again
          </button>{' '}
          <button
            type="button"
            onClick={() => {
              goOn(false);
              void openSample('');
            }}
          >
            Open a sample
          </button>
        </Notice>
      )}
      {setAside.value && <SetAside />}
      {joinedWith.value && (
        <Notice kind="info" onClose={() => (joinedWith.value = null)}>
          <strong>{joinedWith.value.file.name}</strong> and <strong>{joinedWith.value.to}</strong> hold the times and
          the layers of one run. They are joined by name.{' '}
          <button type="button" onClick={openJoinedAlone}>
            Open {joinedWith.value.file.name} alone
          </button>
        </Notice>
      )}
      {takenAsWhatIf.value && <TakenAsWhatIf {...takenAsWhatIf.value} />}
      {lastVisit.value && faults.value.length === 0 && (
        <Notice kind="info" onClose={() => (lastVisit.value = null)}>
          <button type="button" onClick={continueLastVisit}>
            Continue with {titleOf(lastVisit.value.source ?? null)}
          </button>{' '}
          as you left it.
        </Notice>
      )}
      {newVersion.value && (
        <Notice kind="info" onClose={() => (newVersion.value = false)}>
          A newer version of this page is available.{' '}
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </Notice>
      )}
      {notice.value && (
        <Notice kind="info" onClose={() => (notice.value = '')}>
          {notice.value}
        </Notice>
      )}
    </section>
  );
}

function faultText({ file, fault: { message, line, column, path } }: FileFault) {
  const where = [file, placeInFile({ line, column }), path].filter(Boolean).join(', ');
  return (
    <>
      <strong>{where}</strong>
      {where && ': '}
      {withCode(inPageWords(message))}
    </>
  );
}

/** Says which file the link is for, where another one was opened: the link applies once that file is opened. */
function SetAside() {
  const link = setAside.value!;
  const [first, ...others] = link.missing as [FileRef, ...FileRef[]];
  const sameName = link.missing.some(({ file }) => file === opened.value?.source);
  return (
    <Notice kind="info" onClose={() => (setAside.value = null)}>
      This link is for <Wanted {...first} />
      {others.map(file => (
        <span key={file.file}>
          {' and '}
          <Wanted {...file} />
        </span>
      ))}
      . {sameName ? 'The file opened has other content' : 'Another file is open'}, so the settings, filters and
      selection of the link do not apply.{' '}
      <button type="button" onClick={() => void chooseFiles()}>
        {others.length > 0 ? 'Open the files…' : `Open ${first.file}…`}
      </button>
    </Notice>
  );
}

const Wanted = ({ file, size }: FileRef) => (
  <>
    <strong>{file}</strong>
    {size !== undefined && ` (${bytes(size)})`}
  </>
);

/** Says that an opened machine became the what-if, and offers to make it the machine of the run. */
function TakenAsWhatIf({ machine, run }: { machine: Machine; run: string }) {
  if (!isStillWhatIf(machine)) return null;
  return (
    <Notice kind="info" onClose={() => (takenAsWhatIf.value = null)}>
      <strong>{machineName(machine)}</strong> is now the what-if machine. The open run stays on {run}.{' '}
      <button type="button" onClick={() => ranOn(machine)}>
        It ran on this machine
      </button>
    </Notice>
  );
}

interface NoticeProps {
  kind: 'error' | 'info';
  onClose?: () => void;
  children: ComponentChildren;
}

function Notice({ kind, onClose, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <div>{children}</div>
      {onClose && <IconButton icon="close" label="Dismiss" class="ghost small" onClick={onClose} />}
    </div>
  );
}

const STAGES = { unpacking: 'Unpacking', reading: 'Reading' };

function ProgressBar({ stage, done, total }: { stage: keyof typeof STAGES; done: number; total: number }) {
  if (total < 4e6) return null; // done before anyone could read it
  return (
    <div class="notice progress">
      <span>
        {STAGES[stage]} {bytes(done)} of {bytes(total)}
      </span>
      <progress value={done} max={total || 1} aria-label={STAGES[stage]} />
      <button type="button" onClick={cancelOpening}>
        Cancel
      </button>
    </div>
  );
}
