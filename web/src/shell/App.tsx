// The shell: Change panel, tabs with headline and chart, diagnosis, table.
import { useEffect, useRef } from 'preact/hooks';
import { Drawer } from './Drawer';
import { AssumedNumbers } from '../precision/AssumedNumbers';
import { ChangePanel } from '../change/ChangePanel';
import { ColumnsDialog } from '../sources/ColumnsDialog';
import { CommandPalette } from './CommandPalette';
import { Diagnosis } from '../inspector/Diagnosis';
import { Doors } from '../sources/Doors';
import { AddShapes, Headline } from './Headline';
import { MissingFiles } from '../sources/MissingFiles';
import { MachineQuestion } from '../machine/MachineQuestion';
import { ModelQuestion } from '../model/ModelQuestion';
import { Notices } from './Notices';
import { PrintedRemarks } from '../share/PrintedRemarks';
import { PrintedTitle } from '../share/PrintedTitle';
import { NoPoints } from '../roofline/RooflineChart';
import { RunStrip } from '../timeline/RunStrip';
import { Tiles } from './Tiles';
import { TopBar } from './TopBar';
import { Tour } from '../help/Tour';
import { ChangeOf } from '../compare/ChangeOf';
import { compareWith } from '../compare/comparison';
import { isComputing, ready } from '../core/computing';
import { detail, panelFrame, timesOnly } from '../core/engine';
import { awaited } from '../sources/awaited';
import { settling } from '../sources/apply_opened';
import { opened, source } from '../sources/opened';
import { titleOf } from '../sources/source_title';
import { dragging, openList } from '../sources/input';
import { paletteOpen } from '../core/dialogs';
import { changeFolded, embedded } from '../core/layout';
import { sheet } from '../core/sheet';
import { selected } from '../core/view';
import { Tabs, ViewSwitch } from './Tabs';
import { shownView, viewCommands } from './views';
import { OpTable } from '../table/OpTable';
import { FileInput } from '../widgets/FileInput';
import { keepFocus } from './keep_focus';

/** The whole page. */
export function App() {
  useEffect(keepFocus, []);
  return embedded ? <Embedded /> : <Page />;
}

/** The view's component; undefined: only the table is shown, as for the roofline when only times are known. */
function shownComponent() {
  const { id, View } = shownView().view;
  return id === 'roofline' && timesOnly.value ? undefined : View;
}

/** The finding and the view alone, with the way to the whole page. */
function Embedded() {
  const View = shownComponent();
  return (
    <>
      <Notices />
      <main aria-busy={!ready.value} data-revision={panelFrame.value?.revision}>
        {awaited.value ? (
          <MissingFiles />
        ) : (
          <>
            <Headline />
            {View ? <View /> : <OpTable />}
          </>
        )}
        <p class="embed-note muted">
          <a href={`./${location.hash}`} target="_blank" rel="noreferrer">
            Open in Roofline
          </a>
        </p>
      </main>
    </>
  );
}

function Page() {
  return (
    <>
      <TopBar />
      <Notices />
      {awaited.value ? (
        <main class="shell asking" aria-busy={!ready.value} data-revision={panelFrame.value?.revision ?? 0}>
          <MissingFiles />
        </main>
      ) : (
        <Shell />
      )}
      <Tour />
      <ColumnsDialog />
      {paletteOpen.value && <CommandPalette views={viewCommands()} />}
      {dragging.value && (
        <div class="drop-zones">
          <div class={dragging.value === 'open' ? 'drop-zone over' : 'drop-zone'}>Drop to open</div>
          {opened.value && (
            <div data-drop="compare" class={dragging.value === 'compare' ? 'drop-zone over' : 'drop-zone'}>
              Drop to compare with {opened.value.source || titleOf(source.value)}
            </div>
          )}
        </div>
      )}
      <FileInput id="file-input" multiple hidden aria-label="Open files" onFiles={openList} />
      <FileInput id="compare-input" multiple hidden aria-label="Compare with another run" onFiles={compareWith} />
    </>
  );
}

/** Change panel at the left, the tab in the middle, the diagnosis at the right, the table below. */
function Shell() {
  const {
    tab: { label: tab, folded = false, steady = false, tiles = () => true },
    view: { id, label },
  } = shownView();
  const View = shownComponent();
  const wasInspected = useRef(false);
  const inspected = (wasInspected.current =
    (selected.value !== null && detail.value !== null) || (settling.value && wasInspected.current));
  const classes = [
    !View && 'table-only',
    folded && 'answering',
    steady && 'steady',
    changeFolded.value && 'folded',
    inspected && 'inspecting',
    sheet.value && `sheet-${sheet.value}`,
  ];
  return (
    <div class={['shell', ...classes.filter(Boolean)].join(' ')}>
      <aside class="left" aria-label="Change">
        <ChangePanel />
      </aside>
      <Tabs />
      <main aria-busy={!ready.value} data-revision={panelFrame.value?.revision}>
        <PrintedTitle />
        <Headline />
        <div class="questions">
          <MachineQuestion />
          <ModelQuestion />
          <AddShapes />
        </div>
        <div class="under-headline" aria-busy={isComputing()}>
          {tiles() && <Tiles />}
          <AssumedNumbers />
          <ViewSwitch />
        </div>
        {View && (
          <section
            class="view"
            aria-busy={isComputing()}
            aria-label={`${tab === label ? tab : `${tab}: ${label}`} view`}
          >
            <View />
          </section>
        )}
        {id === 'roofline' && !View && <NoPoints />}
        {id === 'roofline' && <RunStrip />}
        <PrintedRemarks />
      </main>
      <Doors />
      {inspected && (
        <aside class="right" aria-label="Diagnosis">
          <Diagnosis renderChange={op => <ChangeOf op={op} />} />
        </aside>
      )}
      <Drawer alone={!View} folded={folded} />
      <nav class="sheets" aria-label="Panels">
        <SheetButton of="change">Change</SheetButton>
        {inspected && <SheetButton of="inspector">Diagnosis</SheetButton>}
      </nav>
    </div>
  );
}

/** On a narrow page: opens a panel over the bottom half, or closes it. */
function SheetButton({ of, children }: { of: 'change' | 'inspector'; children: string }) {
  const open = sheet.value === of;
  return (
    <button type="button" aria-expanded={open} onClick={() => (sheet.value = open ? null : of)}>
      {children}
    </button>
  );
}
