// Exports the current view as a picture, to save or to paste.
import { useEffect, useState } from 'preact/hooks';
import { download } from '../core/download';
import { BACKGROUNDS, picturePng, pictureSvg, SIZES } from './picture/render';
import { panelFrame } from '../core/engine';
import { exportName } from './exports';
import { complain } from '../sources/opened';
import { pictureOpen } from '../core/dialogs';
import { pictureBackground, pictureSize } from '../core/layout';
import { Choice } from '../widgets/Choice';
import { CopyButton } from '../widgets/CopyButton';
import { Dialog } from '../widgets/Dialog';

/** Size, background and preview of the picture, and the buttons to save or copy it. */
export function PictureDialog() {
  const options = { background: pictureBackground.value, size: pictureSize.value };
  const [preview, setPreview] = useState('');
  const { background, size } = options;
  useEffect(() => {
    let address = '';
    let ended = false;
    pictureSvg(options).then(blob => {
      if (!ended) setPreview((address = URL.createObjectURL(blob)));
    }, fail);
    return () => {
      ended = true;
      URL.revokeObjectURL(address);
    };
  }, [background, size, panelFrame.value?.revision]);
  const close = () => (pictureOpen.value = false);
  const fail = (error: unknown) => {
    close();
    complain('Picture', error);
  };
  const save = (make: Promise<Blob>, ending: string) =>
    void make.then(blob => download(blob, `${exportName()}.${ending}`), fail);
  return (
    <Dialog title="Picture of this view" onClose={close}>
      <div class="view-controls picture-options">
        <Choice
          label="Background"
          value={background}
          options={Object.entries(BACKGROUNDS).map(([id, label]) => [id as typeof background, label])}
          onChange={to => (pictureBackground.value = to)}
        />
        <Choice
          label="Size"
          value={size}
          options={Object.entries(SIZES).map(([id, { label }]) => [id as typeof size, label])}
          onChange={to => (pictureSize.value = to)}
        />
      </div>
      <div class={`picture-preview ${background}`}>{preview && <img src={preview} alt="Preview of the picture" />}</div>
      <div class="actions">
        <button type="button" class="primary" onClick={() => save(picturePng(options), 'png')}>
          Save PNG
        </button>
        <button type="button" onClick={() => save(pictureSvg(options), 'svg')}>
          Save SVG
        </button>
        <CopyButton label="Copy" content={() => picturePng(options)} class="" />
      </div>
    </Dialog>
  );
}
